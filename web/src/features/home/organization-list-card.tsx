import { useQuery } from '@tanstack/react-query'
import { getOrganizationList } from '@tessera/contract/people/organizations'
import { useState } from 'react'
import { Button } from '../../components/button/button.tsx'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { OrganizationIcon } from '../../components/icons/icons.tsx'
import { lazy } from '../../components/lazy/lazy.tsx'
import { RowList } from '../../components/row-list/row-list.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { useActions } from '../../lib/input/actions.ts'
import { useSession } from '../../lib/session/session.tsx'

const NewOrganizationDialog = lazy(async () => (await import('./dialogs/new-organization-dialog.tsx')).NewOrganizationDialog)

export function OrganizationListCard() {
  const { isSuper } = useSession()
  const list = useQuery(callQuery(getOrganizationList, {}))
  const { data } = list
  const [isAdding, add] = useState(false)
  useActions(isSuper ? [{ label: 'New organization', run: () => add(true) }] : [])
  return (
    <SectionCard
      title="Organization list"
      count={data?.length}
      actions={isSuper && <Button onClick={() => add(true)}>NEW ORGANIZATION</Button>}
    >
      <RowList
        label="organizations"
        rows={data?.map(({ idOrganization, Description }) => ({ id: idOrganization, icon: <OrganizationIcon />, text: Description }))}
        load={list}
        path={id => `/view-organization/${id}`}
        empty={<EmptyState dense icon={<OrganizationIcon />} title="There are no organizations to show." />}
      />
      {isAdding && <NewOrganizationDialog onClose={() => add(false)} />}
    </SectionCard>
  )
}
