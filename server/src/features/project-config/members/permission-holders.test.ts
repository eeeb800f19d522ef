import { allPermissions, permission } from '@tessera/contract/permissions'
import { expect, test } from 'vitest'
import { permissionMask } from '../../../lib/authorize.ts'
import { requireAnotherHolder, requireHeld } from './permission-holders.ts'

const member = (id: number, ...permissions: number[]) => ({
  id,
  userId: id + 100,
  permissions: permissionMask(permissions),
  disabled: false,
})
const everything = permissionMask(allPermissions)
const { viewTickets: view, managePermissions: manage, editTickets: edit } = permission

test('a permission can only be granted by somebody who holds it', () => {
  const permissions = permissionMask([view, manage])
  expect(() => requireHeld({ permissions }, permissionMask([manage]))).not.toThrow()
  expect(() => requireHeld({ permissions }, permissionMask([manage, edit]))).toThrow('Edit tickets')
  expect(() => requireHeld({ permissions: 0 }, permissionMask([manage]))).toThrow('Manage permissions')
  expect(() => requireHeld({ permissions: everything }, everything)).not.toThrow()
})

test('the last member who sees the project and manages its permissions keeps both', () => {
  const [ann, bob] = [member(1, view, manage, edit), member(2, view, manage)]
  const blind = member(3, manage)
  const without = (id: number, ...permissions: number[]) => member(id, ...permissions)
  expect(() => requireAnotherHolder({ admin: false }, [ann, bob], without(1, view))).not.toThrow()
  for (const changed of [without(1, view, edit), without(1, manage, edit), without(1)])
    expect(() => requireAnotherHolder({ admin: false }, [ann, blind], changed)).toThrow('last member')
  expect(() => requireAnotherHolder({ admin: true }, [ann], without(1))).not.toThrow()
  expect(() => requireAnotherHolder({ admin: false }, [ann], without(1, view, manage))).not.toThrow()
  expect(() => requireAnotherHolder({ admin: false }, [ann, blind], without(3))).not.toThrow()
  const gone = { ...bob, disabled: true }
  expect(() => requireAnotherHolder({ admin: false }, [ann, gone], without(1))).toThrow('last member')
  for (const left of [[ann, gone], [gone]]) expect(() => requireAnotherHolder({ admin: false }, left, without(2))).not.toThrow()
})
