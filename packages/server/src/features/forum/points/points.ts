export { giveForAnswer, takeForAnswer } from './accepted-answers.ts';
export { addAllPoints, addPoints } from './add-points.ts';
export { findPointedCommunities } from './find-points.ts';
export { POINT_RULES } from './point-rules.ts';
export { recountPoints, selectPointed, type PointsKey } from './recount-points-store.ts';
