import Box from '@mui/material/Box'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListSubheader from '@mui/material/ListSubheader'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { CloseIcon, FolderIcon, LogoutIcon } from '../../components/icons.tsx'
import { asButton } from '../../lib/as-button.ts'
import { useSession } from '../../lib/session.tsx'

export interface Destination {
  label: string
  path: string
  icon: ReactNode
  /** The specification calls some of them links, others buttons. */
  isButton?: boolean
}
interface MainMenuProps {
  open: boolean
  onClose: () => void
  destinations: Destination[]
  /** Where the title bar has no room for its button. */
  onLogout: (() => void) | undefined
}

/** The title bar's menu: who is signed in, every destination, every project. */
export function MainMenu({ open, onClose, destinations, onLogout }: MainMenuProps) {
  const { displayName, organizationName, projects, idActiveProject } = useSession()
  const { pathname } = useLocation()
  const entry = ({ label, path, icon, isButton }: Destination) => (
    <ListItem key={path} disablePadding>
      <ListItemButton
        component={Link}
        to={path}
        {...(isButton && asButton)}
        aria-current={pathname === path ? 'page' : undefined}
        onClick={onClose}
      >
        <ListItemIcon>{icon}</ListItemIcon>
        {label}
      </ListItemButton>
    </ListItem>
  )
  return (
    <Drawer
      open={open}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-modal': true, 'aria-label': 'Menu', sx: { width: 272 } } }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 2, py: 1.25, borderBottom: 1, borderColor: 'divider' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ fontWeight: 600 }}>{displayName}</Box>
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{organizationName}</Box>
        </Box>
        <IconButton aria-label="Close the menu" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </Box>
      <Box component="nav" aria-label="Menu" sx={{ flex: 1, overflow: 'auto' }}>
        <List>
          {destinations.map(entry)}
          {onLogout && (
            <ListItem disablePadding>
              <ListItemButton onClick={onLogout}>
                <ListItemIcon>
                  <LogoutIcon />
                </ListItemIcon>
                Logout
              </ListItemButton>
            </ListItem>
          )}
        </List>
        {projects.length > 1 && (
          <List subheader={<ListSubheader>Projects</ListSubheader>}>
            {projects.map(({ id, Title }) =>
              entry({
                label: Title,
                path: `/view-project/${id}`,
                icon: <FolderIcon color={id === idActiveProject ? 'primary.main' : undefined} />,
              }),
            )}
          </List>
        )}
      </Box>
    </Drawer>
  )
}
