export { listChannelPosts, listCommunityPosts } from './list-posts.ts';
export { listPublicPages, type PublicPages } from './list-public-pages.ts';
export { listUserPosts } from './list-user-posts.ts';
export { PostOrders, lengthOf, idsInOrder, type KeepsPostOrders } from './post-orders.ts';
export type { PostOrder } from './store.ts';
