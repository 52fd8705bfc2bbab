/** The text of an instance file with a name, which every instance file has to have, before what is given. */
export function named(toml: string): string {
  return /^[^[]*\binstance_name\s*=/.test(toml) ? toml : `instance_name = "Hearth"\n${toml}`;
}
