/** The name shown for the person in a table alias. */
export const personNameOf = (alias: string) => `coalesce(nullif(${alias}.full_name, ''), ${alias}.login)`
/** The same for the alias `u`. */
export const personName = personNameOf('u')
