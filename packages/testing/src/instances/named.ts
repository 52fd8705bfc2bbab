/** Adds a name to the text of an instance file if it has none, because every instance file must have one. */
export function named(toml: string): string {
  return /^[^[]*\binstance_name\s*=/.test(toml) ? toml : `instance_name = "Hearth"\n${toml}`;
}
