import * as Type from 'typebox'
import { Closed, Done, Id, Name, SomeIds } from '../../scalars.ts'

/** `project`: offered in one project. `organization`: in all projects of the organization. */
const Scope = Type.Union([Type.Literal('project'), Type.Literal('organization')])

/** `#rrggbb`. */
const Color = Type.String({ maxLength: 7, pattern: '^#[0-9A-Fa-f]{6}$' })

/** A label as a ticket carries it. */
export const TicketLabel = Type.Object({ idLabel: Id, Label: Type.String(), Color: Type.String() })
export type TicketLabel = Type.Static<typeof TicketLabel>

export const getLabelList = {
  summary: "The project's labels and the organization's by name, with how many tickets of the project carry each.",
  request: Closed({ idProject: Id }),
  response: Type.Array(Type.Object({ ...TicketLabel.properties, Scope, Tickets: Type.Integer({ minimum: 0 }) })),
}
export const setLabel = {
  summary:
    'Creates a label, or with `idLabel` changes its name or color, but not its scope. A name is unique in its scope, ignoring case (422 `duplicate`). A label of the organization needs *Organisation Admin*. Saved views and calendar feeds that name the label get its new name, and saved searches do for a label of the organization. With `Before`, 409 with the present name and color unless they are these.',
  request: Closed({
    idProject: Id,
    idLabel: Type.Optional(Id),
    /** Required for a new label. */
    Label: Type.Optional(Name()),
    Color: Type.Optional(Color),
    Before: Type.Optional(Closed({ Label: Type.Optional(Name()), Color: Type.Optional(Color) })),
    /** `project` unless given. */
    Scope: Type.Optional(Scope),
  }),
  response: Type.Object({ Success: Type.Literal(1), idLabel: Id }),
}
export const deleteLabels = {
  summary:
    'Deletes labels and removes them from all tickets; with `idReplacement` these tickets get that label instead, and saved queries its name, as after a renaming. Labels of the organization need *Organisation Admin*.',
  request: Closed({ idProject: Id, ids: SomeIds, idReplacement: Type.Optional(Id) }),
  response: Done,
}
export const restoreLabels = {
  summary:
    'Restores deleted labels under their former ids, on every ticket that still carries the replacement or has room, and in the saved queries that got its name.',
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Type.Object({
    Success: Type.Literal(1),
    /** The number of tickets that carry a restored label again. */
    Tickets: Type.Integer({ minimum: 0 }),
    /** Some saved queries that got the replacement's name were changed since, perhaps because it was renamed: they stay as they are. */
    QueriesKept: Type.Optional(Type.Literal(1)),
  }),
}
