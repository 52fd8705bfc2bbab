import type { Benchmark } from './benchmark.ts';
import { SIGN_INS, TOKENS } from './benchmarks/accounts.ts';
import { ACCOUNT_RESUME } from './benchmarks/account-resume.ts';
import { ACCOUNT_SOCKETS } from './benchmarks/account-sockets.ts';
import { BUSY } from './benchmarks/busy.ts';
import { CHANNEL_POST } from './benchmarks/channel-post.ts';
import { CHANNEL_FAN_OUT, COMMUNITIES_FAN_OUT } from './benchmarks/channel-fan-out.ts';
import { CHANNEL_PAGE } from './benchmarks/channel-page.ts';
import { COLD_START } from './benchmarks/cold-start.ts';
import { COMMENT_TREE } from './benchmarks/comment-tree.ts';
import { DOWNLOAD, DOWNLOAD_LARGE } from './benchmarks/download.ts';
import { FAN_OUT, FAN_OUT_PROFILES, FAN_OUT_WEB_PORT } from './benchmarks/fan-out.ts';
import { INFO, POST, POST_SERVERS } from './benchmarks/http.ts';
import { FLOOD } from './benchmarks/flood.ts';
import { MEDIA } from './benchmarks/media.ts';
import { HOT_POSTS, POST_FEED } from './benchmarks/post-lists.ts';
import { PERMISSION_CHECKS } from './benchmarks/permissions.ts';
import { PLAIN_PAGES } from './benchmarks/plain-pages.ts';
import { POST_VOTES } from './benchmarks/post-votes.ts';
import { READY } from './benchmarks/ready.ts';
import { RESUME } from './benchmarks/resume.ts';
import { FAN_OUT_SERVERS, FAN_OUT_TWO_GATEWAYS } from './benchmarks/scale-out.ts';
import { SCALING } from './benchmarks/scaling.ts';
import { SEARCH } from './benchmarks/search.ts';
import { SEARCH_MILLION } from './benchmarks/search-million.ts';
import { SEARCH_POSTS } from './benchmarks/search-posts.ts';
import { IDLE, STORM } from './benchmarks/sockets.ts';
import { UPLOAD } from './benchmarks/upload.ts';
import { WRITES } from './benchmarks/writes.ts';

/** Every benchmark, in the order in which a full run takes them. */
export const BENCHMARKS: readonly Benchmark[] = [
  FAN_OUT,
  FAN_OUT_PROFILES,
  FAN_OUT_WEB_PORT,
  FAN_OUT_SERVERS,
  FAN_OUT_TWO_GATEWAYS,
  SCALING,
  STORM,
  RESUME,
  IDLE,
  ACCOUNT_SOCKETS,
  ACCOUNT_RESUME,
  READY,
  CHANNEL_FAN_OUT,
  COMMUNITIES_FAN_OUT,
  CHANNEL_PAGE,
  HOT_POSTS,
  POST_FEED,
  COMMENT_TREE,
  PLAIN_PAGES,
  POST,
  POST_SERVERS,
  CHANNEL_POST,
  BUSY,
  POST_VOTES,
  INFO,
  TOKENS,
  SIGN_INS,
  SEARCH,
  SEARCH_POSTS,
  SEARCH_MILLION,
  DOWNLOAD,
  DOWNLOAD_LARGE,
  MEDIA,
  UPLOAD,
  WRITES,
  PERMISSION_CHECKS,
  COLD_START,
  FLOOD,
];
