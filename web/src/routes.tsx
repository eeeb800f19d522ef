import { connstate, logout } from '@tessera/contract/people/session'
import { getTicketByKey } from '@tessera/contract/tickets/tickets'
import { SignedInPages } from './features/session/signed-in-pages.tsx'
import { callQuery, post } from './lib/calls/api.ts'
import { queryClient } from './lib/calls/query-client.ts'
import type { Location } from './lib/navigation/location.ts'
import type { Route } from './lib/navigation/navigation.ts'
import { clearPrivateStorage } from './lib/session/private-storage.ts'
import { currentSession, enterSession, leaveSession } from './lib/session/session.tsx'
import { forgetWayBack, rememberWayBack, takeWayBack } from './lib/session/way-back.ts'

let hasAsked = false
/** Asks the server who is signed in. */
async function askWhoIsSignedIn() {
  hasAsked = true
  try {
    const answer = await queryClient.fetchQuery({ ...callQuery(connstate, {}), staleTime: 0 })
    if (answer.auth === 1) enterSession(answer)
  } catch {
    // Treated as signed out.
  }
}

/** Admits signed-in people; asks the server before it sends anybody to the login page, which leads back here. */
async function guard({ pathname, search, hash }: Location) {
  if (!currentSession().authenticated) await askWhoIsSignedIn()
  if (currentSession().authenticated) return undefined
  rememberWayBack(pathname + search + hash)
  return '/login'
}

/** For pages that only signed-out people need. The server is asked only once: after a failed logout it would still have the session. */
async function signedOutOnly() {
  if (!hasAsked) {
    forgetWayBack()
    await askWhoIsSignedIn()
  }
  return currentSession().authenticated ? (takeWayBack() ?? '/home') : undefined
}

/** On a connection that is gone, nobody should wait for the login page. In milliseconds. */
const logoutTimeout = 10_000

/** A page of its own, so that leaving a page with unsaved changes asks first. An address opened from elsewhere signs nobody out. */
async function signOut() {
  if (!currentSession().authenticated) return '/home'
  // A failed logout counts as one too: the page forgets everything either way.
  await post(logout, {}, { signal: AbortSignal.timeout(logoutTimeout) }).catch(() => undefined)
  leaveSession()
  queryClient.clear()
  clearPrivateStorage()
  return '/login'
}

/** Pages that need a session. Once inside, a session that ends is renewed by the dialog, not by losing the page. */
const signedIn = { enter: guard, Frame: SignedInPages }

export const routes: Route[] = [
  {
    path: '/login',
    enter: signedOutOnly,
    load: async () => ({ Component: (await import('./features/session/entry/login-page.tsx')).LoginPage }),
  },
  {
    path: '/reset-password',
    enter: signedOutOnly,
    load: async () => ({ Component: (await import('./features/password-reset/reset-password-page.tsx')).ResetPasswordPage }),
  },
  {
    path: '/reset-password-verify/:code',
    load: async () => ({ Component: (await import('./features/password-reset/reset-password-verify-page.tsx')).ResetPasswordVerifyPage }),
  },
  {
    path: '/confirm-email/:token',
    load: async () => ({ Component: (await import('./features/profile/confirm-email-page.tsx')).ConfirmEmailPage }),
  },
  {
    path: '/invitation/:token',
    load: async () => ({ Component: (await import('./features/organizations/invitation-page.tsx')).InvitationPage }),
  },
  { path: '/set-up/:token', load: async () => ({ Component: (await import('./features/session/entry/set-up-page.tsx')).SetUpPage }) },
  { path: '/home', ...signedIn, load: async () => ({ Component: (await import('./features/home/home-page.tsx')).HomePage }) },
  { path: '/profile', ...signedIn, load: async () => ({ Component: (await import('./features/profile/profile-page.tsx')).ProfilePage }) },
  {
    path: '/view-project/:id',
    ...signedIn,
    load: async () => {
      const { ViewProjectPage, takeProject } = await import('./features/tickets/list/view-project-page.tsx')
      return { Component: ViewProjectPage, prepare: takeProject }
    },
  },
  {
    path: '/project-charts/:id',
    ...signedIn,
    load: async () => ({ Component: (await import('./features/statistics/project-charts-page.tsx')).ProjectChartsPage }),
  },
  {
    path: '/view-ticket/:id',
    ...signedIn,
    load: async () => {
      const { ViewTicketPage, takeTicket } = await import('./features/tickets/ticket/view-ticket-page.tsx')
      return { Component: ViewTicketPage, prepare: takeTicket }
    },
  },
  {
    path: '/project-changes/:id',
    ...signedIn,
    load: async () => ({ Component: (await import('./features/tickets/changes/project-changes-page.tsx')).ProjectChangesPage }),
  },
  {
    path: '/edit-project/:id',
    ...signedIn,
    load: async () => ({ Component: (await import('./features/project-config/edit-project-page.tsx')).EditProjectPage }),
  },
  {
    path: '/view-organization/:id',
    ...signedIn,
    load: async () => ({ Component: (await import('./features/organizations/view-organization-page.tsx')).ViewOrganizationPage }),
  },
  { path: '/search', ...signedIn, load: async () => ({ Component: (await import('./features/search/search-page.tsx')).SearchPage }) },
  { path: '/browse/:key', enter: async to => (await guard(to)) ?? browsePath(to) },
  { path: '/edit', enter: async to => (await guard(to)) ?? editPath() },
  { path: '/logout', enter: signOut },
  { path: '*', enter: () => '/home' },
]

/** After a sign-in; otherwise the server has already redirected. */
async function browsePath({ pathname }: Location) {
  try {
    const { idTicket } = await queryClient.fetchQuery(
      callQuery(getTicketByKey, { Key: decodeURIComponent(pathname.slice('/browse/'.length)) }),
    )
    return idTicket === null ? '/home' : `/view-ticket/${idTicket}`
  } catch {
    return '/home'
  }
}

/** `edit` without an id edits the active project. */
function editPath() {
  const { idActiveProject } = currentSession()
  return idActiveProject ? `/edit-project/${idActiveProject}` : '/home'
}
