/** An answer with headers of its own. */
export interface HeadedAnswer<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
}
