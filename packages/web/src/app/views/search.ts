// What this view shares with others comes with them, in one file.
import './later.ts';

export { SearchPanel } from '../../search/search-panel.tsx';
