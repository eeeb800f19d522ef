/** Finds the schemas of a call. For the server only: the browser has just the types. */

import type { Call, Shape } from './call.ts'
import * as organizations from './people/organizations.ts'
import * as passwordReset from './people/password-reset.ts'
import * as profile from './people/profile.ts'
import * as session from './people/session.ts'
import * as organizationsShapes from './people/shapes/organizations.ts'
import * as passwordResetShapes from './people/shapes/password-reset.ts'
import * as profileShapes from './people/shapes/profile.ts'
import * as sessionShapes from './people/shapes/session.ts'
import * as usersShapes from './people/shapes/users.ts'
import * as users from './people/users.ts'
import * as labels from './projects/labels.ts'
import * as live from './projects/live.ts'
import * as projectConfig from './projects/project-config.ts'
import * as projects from './projects/projects.ts'
import * as labelsShapes from './projects/shapes/labels.ts'
import * as liveShapes from './projects/shapes/live.ts'
import * as projectConfigShapes from './projects/shapes/project-config.ts'
import * as projectsShapes from './projects/shapes/projects.ts'
import * as statisticsShapes from './projects/shapes/statistics.ts'
import * as viewsShapes from './projects/shapes/views.ts'
import * as statistics from './projects/statistics.ts'
import * as views from './projects/views.ts'
import * as assignees from './tickets/assignees.ts'
import * as attachments from './tickets/attachments.ts'
import * as board from './tickets/board.ts'
import * as bulk from './tickets/bulk.ts'
import * as comments from './tickets/comments.ts'
import * as links from './tickets/links.ts'
import * as moving from './tickets/moving.ts'
import * as search from './tickets/search.ts'
import * as assigneesShapes from './tickets/shapes/assignees.ts'
import * as attachmentsShapes from './tickets/shapes/attachments.ts'
import * as boardShapes from './tickets/shapes/board.ts'
import * as bulkShapes from './tickets/shapes/bulk.ts'
import * as commentsShapes from './tickets/shapes/comments.ts'
import * as linksShapes from './tickets/shapes/links.ts'
import * as movingShapes from './tickets/shapes/moving.ts'
import * as searchShapes from './tickets/shapes/search.ts'
import * as ticketsShapes from './tickets/shapes/tickets.ts'
import * as watchersShapes from './tickets/shapes/watchers.ts'
import * as tickets from './tickets/tickets.ts'
import * as watchers from './tickets/watchers.ts'

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
  [moving, movingShapes],
  [tickets, ticketsShapes],
  [users, usersShapes],
  [views, viewsShapes],
  [watchers, watchersShapes],
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
