/** The methods of routes. HEAD comes with GET, and OPTIONS with every path. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type Method = (typeof METHODS)[number];

/** The decoded values of a path's parameters. */
export type PathParams = Readonly<Record<string, string>>;

export interface Found<Target> {
  readonly target: Target;
  /** Absent for a path without parameters. */
  readonly params?: PathParams;
}

/** A target with its parameters: their names, and which segments of a path hold them. */
interface Entry<Target> {
  readonly target: Target;
  readonly params: readonly (readonly [name: string, at: number])[];
}

/** The paths that begin with the same segments. */
interface Node<Target> {
  readonly fixed: Map<string, Node<Target>>;
  /** Paths whose next segment is a parameter. */
  parameter: Node<Target> | undefined;
  /** Targets by method, for the path that ends here. */
  readonly entries: Map<string, Entry<Target>>;
}

/**
 * Finds targets by method and path. If several patterns match a path, the one with the earliest fixed segment comes
 * first; if it lacks the method, the next one is used. Paths are normalised and not decoded; parameters are decoded
 * once.
 */
export class Router<Target> {
  /** Paths without parameters, which need not be split. */
  readonly #fixed = new Map<string, Map<string, Target>>();
  readonly #root: Node<Target> = emptyNode();

  /** Adds a target. Segments of `path` that begin with a colon are parameters. */
  add(method: Method, path: string, target: Target): void {
    const segments = segmentsOf(path);
    const params = segments.flatMap((segment, at) =>
      isParameter(segment) ? [[segment.slice(1), at] as const] : [],
    );
    if (params.length === 0) {
      this.#fixed.set(path, (this.#fixed.get(path) ?? new Map()).set(method, target));
    }
    nodeAt(this.#root, segments).entries.set(method, { target, params });
  }

  find(method: string, path: string): Found<Target> | undefined {
    const target = this.#fixed.get(path)?.get(method);
    if (target !== undefined) return { target };
    const segments = segmentsOf(path);
    for (const { entries } of matching(this.#root, segments)) {
      const entry = entries.get(method);
      if (entry !== undefined) return { target: entry.target, params: paramsOf(entry, segments) };
    }
    return undefined;
  }

  /** The methods that `path` has; if there are none, no route has this path. */
  methodsOf(path: string): readonly Method[] {
    const nodes = matching(this.#root, segmentsOf(path));
    return METHODS.filter((method) => nodes.some(({ entries }) => entries.has(method)));
  }

  /** The paths without parameters that have `method`. */
  fixedPaths(method: Method): readonly (readonly [path: string, target: Target])[] {
    return Array.from(this.#fixed).flatMap(([path, targets]) => {
      const target = targets.get(method);
      return target === undefined ? [] : [[path, target] as const];
    });
  }
}

function emptyNode<Target>(): Node<Target> {
  return { fixed: new Map(), parameter: undefined, entries: new Map() };
}

/** The node of a route's path, created if it is missing. */
function nodeAt<Target>(root: Node<Target>, segments: readonly string[]): Node<Target> {
  let node = root;
  for (const segment of segments) {
    if (isParameter(segment)) {
      node = node.parameter ??= emptyNode();
      continue;
    }
    const next = node.fixed.get(segment) ?? emptyNode<Target>();
    node.fixed.set(segment, next);
    node = next;
  }
  return node;
}

/** The ends of all patterns that match a path, in the order in which they are tried. */
function matching<Target>(
  node: Node<Target>,
  segments: readonly string[],
  at = 0,
): readonly Node<Target>[] {
  const segment = segments[at];
  if (segment === undefined) return [node];
  const fixed = node.fixed.get(segment);
  const found = fixed === undefined ? [] : matching(fixed, segments, at + 1);
  if (node.parameter === undefined || segment === '') return found;
  const others = matching(node.parameter, segments, at + 1);
  return found.length === 0 ? others : [...found, ...others];
}

function paramsOf({ params }: Entry<unknown>, segments: readonly string[]): PathParams {
  const given: Record<string, string> = {};
  for (const [name, at] of params) given[name] = decoded(segments[at] ?? '');
  return given;
}

function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign is kept as it is; everything else that can be decoded is decoded.
    return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes);
      } catch {
        return escapes;
      }
    });
  }
}
