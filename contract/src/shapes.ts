/** Finds the schemas of a call. For the server only: the browser has just the types. */

import * as assignees from './assignees.ts'
import * as attachments from './attachments.ts'
import * as board from './board.ts'
import * as bulk from './bulk.ts'
import type { Call, Shape } from './call.ts'
import * as comments from './comments.ts'
import * as labels from './labels.ts'
import * as links from './links.ts'
import * as live from './live.ts'
import * as organizations from './organizations.ts'
import * as passwordReset from './password-reset.ts'
import * as profile from './profile.ts'
import * as projectConfig from './project-config.ts'
import * as projects from './projects.ts'
import * as search from './search.ts'
import * as session from './session.ts'
import * as assigneesShapes from './shapes/assignees.ts'
import * as attachmentsShapes from './shapes/attachments.ts'
import * as boardShapes from './shapes/board.ts'
import * as bulkShapes from './shapes/bulk.ts'
import * as commentsShapes from './shapes/comments.ts'
import * as labelsShapes from './shapes/labels.ts'
import * as linksShapes from './shapes/links.ts'
import * as liveShapes from './shapes/live.ts'
import * as organizationsShapes from './shapes/organizations.ts'
import * as passwordResetShapes from './shapes/password-reset.ts'
import * as profileShapes from './shapes/profile.ts'
import * as projectConfigShapes from './shapes/project-config.ts'
import * as projectsShapes from './shapes/projects.ts'
import * as searchShapes from './shapes/search.ts'
import * as sessionShapes from './shapes/session.ts'
import * as statisticsShapes from './shapes/statistics.ts'
import * as ticketsShapes from './shapes/tickets.ts'
import * as usersShapes from './shapes/users.ts'
import * as viewsShapes from './shapes/views.ts'
import * as statistics from './statistics.ts'
import * as tickets from './tickets.ts'
import * as users from './users.ts'
import * as views from './views.ts'

const nouns: readonly (readonly [calls: Record<string, unknown>, shapes: Record<string, unknown>])[] = [
  [assignees, assigneesShapes],
  [attachments, attachmentsShapes],
  [board, boardShapes],
  [bulk, bulkShapes],
  [comments, commentsShapes],
  [labels, labelsShapes],
  [links, linksShapes],
  [live, liveShapes],
  [organizations, organizationsShapes],
  [passwordReset, passwordResetShapes],
  [profile, profileShapes],
  [projectConfig, projectConfigShapes],
  [projects, projectsShapes],
  [search, searchShapes],
  [session, sessionShapes],
  [statistics, statisticsShapes],
  [tickets, ticketsShapes],
  [users, usersShapes],
  [views, viewsShapes],
]
/** A call and its shape are exports of the same name. */
const shapes = new Map(
  nouns.flatMap(([calls, shapesOfNoun]) => Object.entries(calls).map(([name, call]) => [call, shapesOfNoun[name] as Shape | undefined])),
)

export function shapeOf(call: Call): Shape {
  const shape = shapes.get(call)
  if (!shape) throw new Error(`The contract has no shape for ${call.name}`)
  return shape
}
