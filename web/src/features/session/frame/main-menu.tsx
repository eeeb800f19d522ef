import { useQuery } from '@tanstack/react-query'
import { getClientConfig } from '@tessera/contract/people/session'
import { type ReactNode, useId } from 'react'
import { flushSync } from 'react-dom'
import { Drawer } from '../../../components/drawer/drawer.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { CloseIcon, FolderIcon, LogoutIcon, SearchIcon } from '../../../components/icons/icons.tsx'
import { Keys } from '../../../components/keys/keys.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { runKeys } from '../../../lib/input/actions.ts'
import { asButton } from '../../../lib/input/as-button.ts'
import { PageLink } from '../../../lib/navigation/page-link.tsx'
import { useLocation } from '../../../lib/navigation/use-navigation.ts'
import { useSession } from '../../../lib/session/session.tsx'
import styles from './main-menu.module.css'

export interface Destination {
  label: string
  path: string
  icon: ReactNode
  /** The specification calls some of them links, others buttons. */
  isButton?: boolean
}
interface MainMenuProps {
  onClose: () => void
  destinations: Destination[]
  /** Set if the title bar has no room for the button. */
  onLogout: (() => void) | undefined
}

const paletteKeys = 'Ctrl+K'

/** The title bar's menu: who is signed in, the palette, every destination, every project. */
export function MainMenu({ onClose, destinations, onLogout }: MainMenuProps) {
  const { displayName, organizationName, projects, idActiveProject } = useSession()
  const { pathname } = useLocation()
  const config = useQuery({ ...callQuery(getClientConfig, {}), staleTime: 'static' })
  const id = useId()
  const entry = ({ label, path, icon, isButton }: Destination) => (
    <li key={path}>
      <PageLink
        to={path}
        {...(isButton && asButton)}
        aria-current={pathname === path ? 'page' : undefined}
        className={styles.place}
        onClick={onClose}
      >
        {icon}
        {label}
      </PageLink>
    </li>
  )
  return (
    <Drawer label="Menu" onClose={onClose}>
      <div className={styles.head}>
        <div className={styles.who}>
          <div className={styles.name}>{displayName}</div>
          <div className={styles.organization}>{organizationName}</div>
        </div>
        <IconButton aria-label="Close the menu" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      <nav aria-label="Menu" className={styles.places}>
        <ul className={styles.list}>
          <li>
            <button
              type="button"
              className={styles.place}
              onClick={() => {
                // Over a dialog the palette would leave out the page's actions.
                flushSync(onClose)
                runKeys(paletteKeys)
              }}
            >
              <SearchIcon />
              <span className={styles.words}>Find an action…</span>
              <span aria-hidden className={styles.keys}>
                <Keys keys={paletteKeys} />
              </span>
            </button>
          </li>
          {destinations.map(entry)}
          {onLogout && (
            <li>
              <button type="button" className={styles.place} onClick={onLogout}>
                <LogoutIcon />
                Logout
              </button>
            </li>
          )}
        </ul>
        {projects.length > 1 && (
          <>
            <h2 id={id} className={styles.title}>
              Projects
            </h2>
            <ul aria-labelledby={id} className={styles.list}>
              {projects.map(project =>
                entry({
                  label: project.Title,
                  path: `/view-project/${project.id}`,
                  icon: <FolderIcon color={project.id === idActiveProject ? 'accent' : undefined} />,
                }),
              )}
            </ul>
          </>
        )}
      </nav>
      {config.data && (
        <p className={styles.version}>
          {config.data.product} {config.data.version}
        </p>
      )}
    </Drawer>
  )
}
