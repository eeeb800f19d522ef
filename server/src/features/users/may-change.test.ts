import { expect, test } from 'vitest'
import { mayChange, type Part, type Standing } from './may-change.ts'

// The table of docs/decisions/043: n names, i login name and e-mail, p projects, s membership and permissions in the organization.
const letters: Record<Part, string> = { names: 'n', identity: 'i', projects: 'p', standing: 's' }
const people = {
  member: { super: false, admin: false, manager: false },
  manager: { super: false, admin: false, manager: true },
  admin: { super: false, admin: true, manager: false },
  both: { super: false, admin: true, manager: true },
  super: { super: true, admin: true, manager: false },
} satisfies Record<string, Standing>
type Kind = keyof typeof people

const table: Record<Kind, Record<Kind | 'self', string>> = {
  member: { member: '', manager: '', admin: '', both: '', super: '', self: '' },
  manager: { member: 'nip', manager: 'n', admin: 'n', both: 'n', super: '', self: 'n' },
  admin: { member: 'nips', manager: '', admin: 'nips', both: '', super: '', self: 'nips' },
  both: { member: 'nips', manager: 'nips', admin: 'nips', both: 'nips', super: '', self: 'nips' },
  super: { member: 'nips', manager: 'nips', admin: 'nips', both: 'nips', super: 'nips', self: 'nips' },
}

test('who may change what of whom', () => {
  for (const [actor, row] of Object.entries(table)) {
    for (const [target, parts] of Object.entries(row)) {
      const found = mayChange(people[actor as Kind], people[(target === 'self' ? actor : target) as Kind], target === 'self')
      expect(`${actor} ${target} ${found.map(part => letters[part]).join('')}`).toBe(`${actor} ${target} ${parts}`)
    }
  }
})
