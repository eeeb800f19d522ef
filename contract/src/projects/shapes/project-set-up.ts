import * as Type from 'typebox'
import { Closed, Id } from '../../scalars.ts'

const Count = Type.Integer({ minimum: 0 })
export const copyProjectSetUp = {
  summary:
    "Copies the set-up of another project that the caller may see into one without states, fields, templates and roles of its own (422 otherwise): states, workflow, fields, templates, roles, the project's own labels, `BlockersHold` and `DueField`. Members, permissions, tickets, views and what is archived are not copied, nor are default values that name a person. Answers how many of each were copied.",
  request: Closed({ idProject: Id, idFrom: Id }),
  response: Type.Object({
    Success: Type.Literal(1),
    States: Count,
    Transitions: Count,
    Fields: Count,
    Templates: Count,
    Roles: Count,
    Labels: Count,
  }),
}
