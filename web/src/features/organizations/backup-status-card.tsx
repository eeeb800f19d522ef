import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { getBackupStatus } from '@tessera/contract/organizations'
import { CheckCircleIcon, ErrorIcon } from '../../components/icons.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { callQuery } from '../../lib/api.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import styles from './backup-status-card.module.css'

const words = {
  proven: 'The last backup is proven',
  unproven: 'The last backup is not proven',
  failed: 'The last backup failed its test',
  none: 'There is no backup yet',
} as const

/** Whether the installation could be brought back, for super users; red until a restore has shown it. */
export function BackupStatusCard() {
  const { data, error } = useQuery({ ...callQuery(getBackupStatus, {}), staleTime: 60_000 })
  if (!data)
    return (
      error && (
        <SectionCard title="Backup" padded>
          {error.message}
        </SectionCard>
      )
    )
  const isProven = data.State === 'proven'
  const facts = [
    ['Last backup', data.LastBackup],
    ['Last proven', data.LastProven],
  ] as const
  return (
    <SectionCard title="Backup" padded className={isProven ? undefined : styles.failing}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontWeight: 600, color: isProven ? 'success.main' : 'error.main' }}>
        {isProven ? <CheckCircleIcon /> : <ErrorIcon />}
        {words[data.State]}
      </Box>
      {data.Message && data.State !== 'none' && <Box sx={{ mt: 0.5, fontSize: 13, color: 'text.secondary' }}>{data.Message}</Box>}
      <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '4px 16px', m: 0, mt: 1.5, fontSize: 13 }}>
        {facts.map(([name, at]) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0 }}>
              {at === null ? 'never' : `${formatDateTime(at)} (${formatRelative(at)})`}
            </Box>
          </Box>
        ))}
      </Box>
    </SectionCard>
  )
}
