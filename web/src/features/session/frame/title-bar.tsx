import { messages } from '@tessera/contract/messages'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, ButtonLink } from '../../../components/button/button.tsx'
import { IconButton, IconButtonLink } from '../../../components/icon-button/icon-button.tsx'
import { BrandMark } from '../../../components/icons/brand-mark.tsx'
import {
  ChevronDownIcon,
  HomeIcon,
  ListIcon,
  LogoutIcon,
  MenuIcon,
  PersonIcon,
  ReconnectIcon,
  SettingsIcon,
} from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { Menu } from '../../../components/menu/menu.tsx'
import { useMenu } from '../../../components/menu/use-menu.ts'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import { classNames } from '../../../lib/display/class-names.ts'
import { useMediaQuery } from '../../../lib/display/use-media-query.ts'
import { asButton } from '../../../lib/input/as-button.ts'
import { matchPath, navigate } from '../../../lib/navigation/navigation.ts'
import { PageLink } from '../../../lib/navigation/page-link.tsx'
import { useWindowTitle } from '../../../lib/navigation/page-title.ts'
import { useLocation } from '../../../lib/navigation/use-navigation.ts'
import { activateProject, timeOutSession, useSession } from '../../../lib/session/session.tsx'
import { GlobalActions } from './global-actions.tsx'
import type { Destination } from './main-menu.tsx'
import styles from './title-bar.module.css'

/** The title bar; `actions` are in its middle. */
export function TitleBar({ actions }: { actions: ReactNode }) {
  const session = useSession()
  const { authenticated, timedOut, idActiveProject } = session
  const isNarrow = useMediaQuery('(width < 37.5rem)')
  const hasRoom = useMediaQuery('(width >= 80rem)')

  const destinations: Destination[] = authenticated
    ? [
        ...(idActiveProject ? [{ label: 'Project overview', path: `/view-project/${idActiveProject}`, icon: <ListIcon /> }] : []),
        ...(idActiveProject && session.isAdmin
          ? [{ label: 'Edit project', path: `/edit-project/${idActiveProject}`, icon: <SettingsIcon /> }]
          : []),
        { label: 'Home', path: '/home', icon: <HomeIcon />, isButton: true },
        { label: 'Profile', path: '/profile', icon: <PersonIcon />, isButton: true },
      ]
    : []
  const titleNow = authenticated ? messages.titleSignedIn : messages.titleWelcome
  const title = timedOut ? messages.titleTimedOut : titleNow

  const product = (
    <>
      <BrandMark />
      <span className={styles.cut}>{title}</span>
    </>
  )
  return (
    <div className={styles.place}>
      <header className={styles.bar}>
        <SkipLink />
        <div className={styles.start}>
          {authenticated && <MenuButton destinations={destinations} isNarrow={isNarrow} />}
          {authenticated ? (
            <PageLink to="/home" className={classNames(styles.product, styles.home)}>
              {product}
            </PageLink>
          ) : (
            <span className={styles.product}>{product}</span>
          )}
          {timedOut && (
            <Button onClick={timeOutSession} className={styles.reconnect}>
              <ReconnectIcon /> RECONNECT
            </Button>
          )}
          {authenticated && <ProjectSelector />}
        </div>
        <div className={styles.actions}>{actions}</div>
        {authenticated && !isNarrow && (
          <nav aria-label="Main" className={styles.destinations}>
            {destinations.map(destination => (
              <DestinationButton key={destination.path} {...destination} isNamed={hasRoom} />
            ))}
            <LogoutButton isNamed={hasRoom} />
          </nav>
        )}
        {authenticated && <GlobalActions destinations={destinations} />}
        <ProjectOfPage />
        <WindowTitle product={title} isSignedIn={authenticated} />
      </header>
    </div>
  )
}

/** Makes the page's project the active one. Renders nothing: a separate component, so that a new address alone does not re-render the bar. */
function ProjectOfPage() {
  const { pathname } = useLocation()
  const routeProject = Number(matchPath('/:page/:id', pathname)?.id)
  useEffect(() => {
    if (/^\/(view-project|edit-project|project-\w+)\//.test(pathname)) activateProject(routeProject)
  }, [pathname, routeProject])
  return null
}

/** Renders nothing either. */
function WindowTitle({ product, isSignedIn }: { product: string; isSignedIn: boolean }) {
  useWindowTitle(product, isSignedIn)
  return null
}

function SkipLink() {
  return (
    <ButtonLink
      to="#content"
      variant="contained"
      onClick={event => {
        event.preventDefault()
        document.getElementById('content')?.focus()
      }}
      className={styles.skip}
    >
      SKIP TO CONTENT
    </ButtonLink>
  )
}

/** Its name is beside the icon if there is room, otherwise in a tooltip. */
function DestinationButton({ label, path, icon, isButton, isNamed }: Destination & { isNamed: boolean }) {
  const { pathname } = useLocation()
  const link = (
    <IconButtonLink
      to={path}
      {...(isButton && asButton)}
      aria-label={label}
      aria-current={pathname === path ? 'page' : undefined}
      className={isNamed ? styles.named : undefined}
    >
      {icon}
      {isNamed && label}
    </IconButtonLink>
  )
  return isNamed ? link : <Tooltip title={label}>{link}</Tooltip>
}

const logout = () => void navigate('/logout')

function LogoutButton({ isNamed }: { isNamed: boolean }) {
  const button = (
    <IconButton aria-label="Logout" onClick={logout} className={isNamed ? styles.named : undefined}>
      <LogoutIcon />
      {isNamed && 'Logout'}
    </IconButton>
  )
  return isNamed ? button : <Tooltip title="Logout">{button}</Tooltip>
}

const MainMenu = lazy(async () => (await import('./main-menu.tsx')).MainMenu)

function MenuButton({ destinations, isNarrow }: { destinations: Destination[]; isNarrow: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Tooltip title="Menu">
        <IconButton
          aria-label="Menu"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onPointerEnter={MainMenu.prepare}
          onFocus={MainMenu.prepare}
          onClick={() => setOpen(true)}
        >
          <MenuIcon />
        </IconButton>
      </Tooltip>
      {isOpen && <MainMenu onClose={() => setOpen(false)} destinations={destinations} onLogout={isNarrow ? logout : undefined} />}
    </>
  )
}

function ProjectSelector() {
  const { projects, idActiveProject } = useSession()
  const { button, menu } = useMenu()
  const active = projects.find(({ id }) => id === idActiveProject)
  if (projects.length < 2) return null
  return (
    <>
      <Button {...button} aria-label={`Project: ${active?.Title ?? ''}`} className={styles.project}>
        <span className={styles.cut}>{active?.Title}</span>
        <ChevronDownIcon fontSize="small" color="text-faint" />
      </Button>
      <Menu
        label="Project"
        {...menu}
        choices={projects.map(({ id, Title, shortcode }) => ({
          key: id,
          label: Title,
          detail: shortcode,
          isChosen: id === idActiveProject,
          onChoose: () => void navigate(`/view-project/${id}`),
        }))}
      />
    </>
  )
}
