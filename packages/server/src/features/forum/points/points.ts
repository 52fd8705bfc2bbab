export { giveForAnswer, takeForAnswer } from './accepted-answers.ts';
export { POINT_RULES } from './find-points.ts';
export {
  addAllPoints,
  addPoints,
  recountPoints,
  selectPointed,
  selectPointedCommunities,
  type PointsKey,
} from './store.ts';
