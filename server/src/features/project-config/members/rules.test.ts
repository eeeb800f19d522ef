import { allPermissions, permission } from '@tessera/contract/permissions'
import { expect, test } from 'vitest'
import { permissionMask } from '../../../lib/authorize.ts'
import { requireAnotherHolder, requireHeld } from './rules.ts'

const member = (id: number, ...permissions: number[]) => ({ id, userId: id + 100, permissions: permissionMask(permissions) })
const everything = permissionMask(allPermissions)
const { viewTickets: view, managePermissions: manage, editTickets: edit } = permission

test('one needs what one grants, by the rights of this moment; an organization admin needs nothing', () => {
  const members = [member(1, view, manage), member(2, view, manage, edit)]
  expect(() => requireHeld({ admin: false, userId: 102, permissions: 0 }, members, permissionMask([manage, edit]))).not.toThrow()
  expect(() => requireHeld({ admin: false, userId: 101, permissions: everything }, members, permissionMask([manage, edit]))).toThrow(
    'Edit tickets',
  )
  expect(() => requireHeld({ admin: false, userId: 999, permissions: everything }, members, permissionMask([manage]))).toThrow(
    'Manage permissions',
  )
  expect(() => requireHeld({ admin: true, userId: 999, permissions: everything }, members, everything)).not.toThrow()
})

test('the last one who sees the project and manages its permissions stays so', () => {
  const [ann, bob] = [member(1, view, manage, edit), member(2, view, manage)]
  const blind = member(3, manage)
  const without = (id: number, ...permissions: number[]) => member(id, ...permissions)
  expect(() => requireAnotherHolder({ admin: false }, [ann, bob], without(1, view))).not.toThrow()
  for (const changed of [without(1, view, edit), without(1, manage, edit), without(1)])
    expect(() => requireAnotherHolder({ admin: false }, [ann, blind], changed)).toThrow('last member')
  expect(() => requireAnotherHolder({ admin: true }, [ann], without(1))).not.toThrow()
  expect(() => requireAnotherHolder({ admin: false }, [ann], without(1, view, manage))).not.toThrow()
  expect(() => requireAnotherHolder({ admin: false }, [ann, blind], without(3))).not.toThrow()
})
