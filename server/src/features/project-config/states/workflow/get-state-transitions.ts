import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../../http/implement.ts'
import { workflowOf } from './transitions.ts'

export const getStateTransitions = implement(contract.getStateTransitions, ({ db, scope }) => workflowOf(db, scope))
