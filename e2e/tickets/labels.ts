import type { Product } from '../fixtures.ts'

const colors = ['#f5b800', '#d92d20']

/** Labels by name, each with the tickets that carry it. */
export async function makeLabels({ db }: Product, organization_id: number, project_id: number, labels: Record<string, number[]>) {
  const made = await db
    .insertInto('label')
    .values(Object.keys(labels).map((name, index) => ({ organization_id, project_id, name, color: colors[index] ?? '#607d8b' })))
    .returning(['id', 'name'])
    .execute()
  const carried = made.flatMap(({ id, name }) => (labels[name] ?? []).map(ticket_id => ({ organization_id, ticket_id, label_id: id })))
  await db.insertInto('ticket_label').values(carried).execute()
}
