import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../../http/implement.ts'

export const getTicketPropertyTypeList = implement(contract.getTicketPropertyTypeList, async () =>
  contract.propertyTypes.map(({ id, Description }) => ({ idTicketPropertyType: id, Description })),
)
