import { useQuery } from '@tanstack/react-query'
import { getSearchList } from '@tessera/contract/projects/saved-searches'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import type { MenuProps } from '../../../components/menu/menu.tsx'
import { MenuButton } from '../../../components/menu/menu-button.tsx'
import { useMenu } from '../../../components/menu/use-menu.ts'
import { callQuery } from '../../../lib/calls/api.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { queryInProject } from './saved-search.ts'
import styles from './saved-searches.module.css'

const SaveSearchDialog = lazy(async () => (await import('./save-search-dialog.tsx')).SaveSearchDialog)
const SearchesDialog = lazy(async () => (await import('./searches-dialog.tsx')).SearchesDialog)

interface SearchesMenuProps {
  query: string
  /** The project that is searched; all without it. */
  idProject: number | undefined
  /** Whether the query is one that can be searched for, and so saved. */
  isAsked: boolean
  /** Called with the query of the saved search that was chosen. */
  onChoose: (query: string) => void
}

/** The saved searches, to choose one, and buttons to save the present one and to change those that are saved. */
export function SearchesMenu({ query, idProject, isAsked, onChoose }: SearchesMenuProps) {
  const { projects } = useSession()
  const menu = useMenu()
  const [dialog, setDialog] = useState<'save' | 'edit'>()
  const { data, error } = useQuery(callQuery(getSearchList, {}))
  const code = projects.find(({ id }) => id === idProject)?.shortcode
  const firstShared = data?.find(({ Mine }) => Mine === 0)
  const remark = data ? 'There are no saved searches yet' : (error?.message ?? 'Loading…')
  const choices: MenuProps['choices'] =
    data && data.length > 0
      ? data.map(search => ({
          key: search.idSearch,
          label: search.Name,
          detail: search.Scope === 'organization' ? 'shared' : undefined,
          isChosen: search.Query === query && idProject === undefined,
          startsGroup: search === firstShared && search !== data[0],
          onChoose: () => onChoose(search.Query),
        }))
      : [{ key: 'none', label: remark, isDisabled: true }]
  const refused = isAsked ? undefined : 'Type a query first'
  const edit = { label: 'Edit saved searches', run: () => setDialog('edit') }
  useActions([{ label: 'Save search', refused, run: () => setDialog('save') }, edit])
  return (
    <div className={styles.buttons}>
      <MenuButton
        label="Saved searches"
        menu={menu}
        choices={[...choices, { key: 'edit', label: edit.label, startsGroup: true, onChoose: edit.run }]}
      />
      {isAsked && <Button onClick={() => setDialog('save')}>SAVE SEARCH</Button>}
      {dialog === 'save' && (
        <SaveSearchDialog query={code === undefined ? query : queryInProject(query, code)} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'edit' && <SearchesDialog onClose={() => setDialog(undefined)} />}
    </div>
  )
}
