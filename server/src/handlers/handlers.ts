import type * as organizations from '@tessera/contract/people/organizations'
import type * as passwordReset from '@tessera/contract/people/password-reset'
import type * as profile from '@tessera/contract/people/profile'
import type * as session from '@tessera/contract/people/session'
import type * as users from '@tessera/contract/people/users'
import type * as labels from '@tessera/contract/projects/labels'
import type * as live from '@tessera/contract/projects/live'
import type * as projectConfig from '@tessera/contract/projects/project-config'
import type * as projects from '@tessera/contract/projects/projects'
import type * as statistics from '@tessera/contract/projects/statistics'
import type * as views from '@tessera/contract/projects/views'
import type * as assignees from '@tessera/contract/tickets/assignees'
import type * as attachments from '@tessera/contract/tickets/attachments'
import type * as board from '@tessera/contract/tickets/board'
import type * as bulk from '@tessera/contract/tickets/bulk'
import type * as comments from '@tessera/contract/tickets/comments'
import type * as links from '@tessera/contract/tickets/links'
import type * as moving from '@tessera/contract/tickets/moving'
import type * as search from '@tessera/contract/tickets/search'
import type * as tickets from '@tessera/contract/tickets/tickets'
import type * as watchers from '@tessera/contract/tickets/watchers'
import type { Handlers } from '../http/implement.ts'
import * as ofPeople from './people.ts'
import * as ofProjects from './projects.ts'
import * as ofTickets from './tickets.ts'

type Contract = typeof organizations &
  typeof passwordReset &
  typeof profile &
  typeof session &
  typeof users &
  typeof labels &
  typeof live &
  typeof projectConfig &
  typeof projects &
  typeof statistics &
  typeof views &
  typeof assignees &
  typeof attachments &
  typeof board &
  typeof bulk &
  typeof comments &
  typeof links &
  typeof moving &
  typeof search &
  typeof tickets &
  typeof watchers

/** The handler of each call: the server's table of contents. A call of the contract without a handler does not compile. */
export const handlers = { ...ofPeople, ...ofProjects, ...ofTickets } satisfies Handlers<Contract>
