export { ScoreNews, type KeepsScores } from './score-news.ts';
