import { folderPlace } from '@hearth/testing/ports/outbox-places';
import { outboxContract } from './outbox.contract.ts';

outboxContract('the embedded engines', folderPlace);
