import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../../http/implement.ts'

export const getPropertytypeList = implement(contract.getPropertytypeList, async () => [...contract.propertyTypes])
