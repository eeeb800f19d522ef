import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../../http/implement.ts'
import { requireOptions } from '../field-options.ts'
import { readTypeChange } from './read-type-change.ts'

const valuesNamed = 20

export const getFieldTypeChange = implement(contract.getFieldTypeChange, async ({ db, scope, input }) => {
  requireOptions(input.idControlType, undefined)
  const { tickets, unfit, options } = await readTypeChange(db, scope, input.idField, input.idControlType)
  return {
    Tickets: tickets,
    Unfit: unfit.reduce((sum, stored) => sum + stored.tickets, 0),
    Values: unfit
      .slice(0, valuesNamed)
      .map(({ value, tickets, reason }) => ({ Value: value.slice(0, 200), Tickets: tickets, Reason: reason })),
    FieldProps: options,
  }
})
