import { sql } from 'kysely'

/** The reviewed list: why a statement may read or write rows of more than one organization. */
export const reasons = {
  'sign-in': 'A person is found by login, and so are the organizations they may choose, before a session names one.',
  'own account': "A person's own sessions and memberships, wherever they are.",
  identity: 'Whether somebody belongs to another organization decides who may change their login and e-mail.',
  'super user': 'A super user sees and names all organizations; the rows are still of one organization each.',
  job: 'Clean-up, deliveries and checks that serve every organization; no answer to a request carries their rows.',
  operator: "The operator's command line, on the machine itself.",
} as const

/** The comment with which a statement begins that is not bound to one organization. The statement guard refuses such statements without it. */
export function acrossOrganizations(reason: keyof typeof reasons) {
  return sql.raw(marker(reason))
}

/** The same for a statement written as text. */
export function marker(reason: keyof typeof reasons) {
  return `/* all organizations: ${reason} */`
}
