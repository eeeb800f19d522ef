import { permissionTypes } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../http/implement.ts'

export const getPermissionTypes = implement(contract.getPermissionTypes, async () => [...permissionTypes])
