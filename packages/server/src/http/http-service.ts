import { MethodNotAllowedError, NotFoundError } from '@hearth/protocol';
import type { ServiceContext } from '../context.ts';
import { answerError } from './answer-error.ts';
import type { Answer } from './caller.ts';
import { METHODS, Router, type Method } from './router.ts';

/** The part of a component that answers requests. */
export interface HttpService {
  /** Finds the target by method and path; HEAD comes as GET, and OPTIONS never comes. */
  find(method: string, path: string): Answer;
  /** Returns what a preflight of `path` allows. */
  allowedOn(path: string): readonly string[];
  /** The results of `find` for POST of paths without parameters, for the runtime to find by itself. */
  readonly posts: Readonly<Record<string, Answer>>;
}

/** The answer to one method of one path. */
export interface HttpServiceRoute {
  readonly method: Method;
  readonly path: string;
  readonly answer: Answer;
}

/** Makes the answer to a request that has no route. */
export type Refuse = (error: Error, method: string) => Answer;

/**
 * A component with these routes. A path without a route is a 404; a method that a path lacks is a 405 with Allow. GET
 * includes HEAD. A preflight of a path without a route allows all methods that the component has.
 */
export function httpServiceOf(
  ctx: ServiceContext,
  routes: readonly HttpServiceRoute[],
  refuse: Refuse = (error) => refusing(ctx, error),
): HttpService {
  const router = new Router<Answer>();
  for (const { method, path, answer } of routes) router.add(method, path, answer);
  const allMethods = METHODS.filter((method) => routes.some((route) => route.method === method));
  return {
    find(method, path) {
      const found = router.find(method, path);
      if (found === undefined) {
        const methods = router.methodsOf(path);
        return methods.length === 0
          ? refuse(new NotFoundError(), method)
          : refuse(new MethodNotAllowedError(allowed(methods)), method);
      }
      const { target, params } = found;
      return params === undefined ? target : (request, caller) => target(request, caller, params);
    },
    allowedOn(path) {
      const methods = router.methodsOf(path);
      return allowed(methods.length === 0 ? allMethods : methods);
    },
    posts: Object.fromEntries(router.fixedPaths('POST')),
  };
}

function allowed(methods: readonly Method[]): readonly string[] {
  return [
    ...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    'OPTIONS',
  ];
}

/** Answers every request with `error`. */
export function refusing(ctx: ServiceContext, error: Error): Answer {
  return (request, caller) => answerError(ctx, error, { request, caller });
}
