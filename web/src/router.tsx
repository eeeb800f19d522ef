import { connstate, logout } from '@tessera/contract/session'
import { createBrowserRouter, type LoaderFunctionArgs, redirect } from 'react-router'
import { PageLayout } from './features/session/page-layout.tsx'
import { PageProblem } from './features/session/page-problem.tsx'
import { SignedInPages } from './features/session/signed-in-pages.tsx'
import { AddTicketButton } from './features/tickets/new/add-ticket-button.tsx'
import { callQuery, post } from './lib/api.ts'
import { clearPrivateStorage } from './lib/private-storage.ts'
import { queryClient } from './lib/query-client.ts'
import { currentSession, enterSession, leaveSession } from './lib/session.tsx'
import { forgetWayBack, rememberWayBack, takeWayBack } from './lib/way-back.ts'

let hasAsked = false
/** Asks the server who is signed in. */
async function askWhoIsSignedIn() {
  hasAsked = true
  try {
    const answer = await queryClient.fetchQuery({ ...callQuery(connstate, {}), staleTime: 0 })
    if (answer.auth === 1) enterSession(answer)
  } catch {
    // Nobody, as far as the page knows.
  }
}

/** Lets in who is signed in; asks the server before it sends anybody to the login, which leads back here. */
async function guard({ request }: LoaderFunctionArgs) {
  if (!currentSession().authenticated) await askWhoIsSignedIn()
  if (currentSession().authenticated) return null
  const { pathname, search } = new URL(request.url)
  // The request has no fragment. Only the page that the browser opened can have come with one.
  rememberWayBack(pathname + search + (window.location.pathname === pathname ? window.location.hash : ''))
  return redirect('/login')
}

/** For pages that only somebody signed out needs. The server is asked once: after a logout that failed it would still know the person. */
async function signedOutOnly() {
  if (!hasAsked) {
    forgetWayBack()
    await askWhoIsSignedIn()
  }
  return currentSession().authenticated ? redirect(takeWayBack() ?? '/home') : null
}

/** A page of its own, so that leaving a page with unsaved changes asks first. An address opened from elsewhere signs nobody out. */
async function signOut() {
  if (!currentSession().authenticated) return redirect('/home')
  // A logout that fails is one too: the page forgets everything either way.
  await post(logout, {}).catch(() => undefined)
  leaveSession()
  queryClient.clear()
  clearPrivateStorage()
  return redirect('/login')
}

export const router = createBrowserRouter([
  {
    element: <PageLayout action={<AddTicketButton />} />,
    children: [
      {
        ErrorBoundary: PageProblem,
        children: [
          {
            path: 'login',
            loader: signedOutOnly,
            lazy: async () => ({ Component: (await import('./features/session/login-page.tsx')).LoginPage }),
          },
          {
            path: 'reset-password',
            loader: signedOutOnly,
            lazy: async () => ({ Component: (await import('./features/password-reset/reset-password-page.tsx')).ResetPasswordPage }),
          },
          {
            path: 'reset-password-verify/:code',
            lazy: async () => ({
              Component: (await import('./features/password-reset/reset-password-verify-page.tsx')).ResetPasswordVerifyPage,
            }),
          },
          {
            path: 'confirm-email/:token',
            lazy: async () => ({ Component: (await import('./features/profile/confirm-email-page.tsx')).ConfirmEmailPage }),
          },
          {
            path: 'invitation/:token',
            lazy: async () => ({ Component: (await import('./features/organizations/invitation-page.tsx')).InvitationPage }),
          },
          { path: 'set-up/:token', lazy: async () => ({ Component: (await import('./features/session/set-up-page.tsx')).SetUpPage }) },
          {
            Component: SignedInPages,
            loader: guard,
            // Once inside, a session that ends is renewed by the dialog, not by losing the page.
            shouldRevalidate: () => false,
            children: [
              { path: 'home', lazy: async () => ({ Component: (await import('./features/home/home-page.tsx')).HomePage }) },
              { path: 'profile', lazy: async () => ({ Component: (await import('./features/profile/profile-page.tsx')).ProfilePage }) },
              {
                path: 'view-project/:id',
                lazy: async () => {
                  const { ViewProjectPage, takeProject } = await import('./features/tickets/list/view-project-page.tsx')
                  return { Component: ViewProjectPage, loader: takeProject }
                },
                shouldRevalidate: () => false,
              },
              {
                path: 'view-ticket/:id',
                lazy: async () => {
                  const { ViewTicketPage, takeTicket } = await import('./features/tickets/ticket/view-ticket-page.tsx')
                  return { Component: ViewTicketPage, loader: takeTicket }
                },
                shouldRevalidate: () => false,
              },
              {
                path: 'edit-project/:id',
                lazy: async () => ({ Component: (await import('./features/project-config/edit-project-page.tsx')).EditProjectPage }),
              },
              {
                path: 'view-organization/:id',
                lazy: async () => ({
                  Component: (await import('./features/organizations/view-organization-page.tsx')).ViewOrganizationPage,
                }),
              },
              { path: 'edit', loader: async args => (await guard(args)) ?? redirect(editPath()) },
            ],
          },
          { path: 'logout', loader: signOut },
          { path: '*', loader: () => redirect('/home') },
        ],
      },
    ],
  },
])

/** The first page is here, with its scripts and what it shows. Drawn before, it would be drawn twice; index.html says meanwhile that it is coming. */
export const firstPage = new Promise<void>(resolve => {
  const look = ({ initialized }: { initialized: boolean }) => initialized && resolve()
  router.subscribe(look)
  look(router.state)
})

/** `edit` without an id edits the project at hand. */
function editPath() {
  const { idActiveProject } = currentSession()
  return idActiveProject ? `/edit-project/${idActiveProject}` : '/home'
}
