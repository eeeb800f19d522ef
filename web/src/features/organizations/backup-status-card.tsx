import { useQuery } from '@tanstack/react-query'
import { getBackupStatus } from '@tessera/contract/people/organizations'
import { CheckCircleIcon, ErrorIcon } from '../../components/icons/icons.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { TimeAgo } from '../../components/time-ago/time-ago.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { seldomStale } from '../../lib/calls/live/seldom-stale.ts'
import { classNames } from '../../lib/display/class-names.ts'
import { formatDateTime } from '../../lib/display/format.ts'
import styles from './backup-status-card.module.css'

const words = {
  proven: 'The last backup is proven',
  incomplete: 'The last backup lacks files',
  unproven: 'The last backup is not proven',
  failed: 'The last backup failed its test',
  none: 'There is no backup yet',
} as const

/** The status of backups, for super users; red until a restore has proven one. */
export function BackupStatusCard() {
  const { data, error } = useQuery({ ...callQuery(getBackupStatus, {}), staleTime: seldomStale })
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
      <div className={classNames(styles.state, isProven ? styles.good : styles.bad)}>
        {isProven ? <CheckCircleIcon /> : <ErrorIcon />}
        {words[data.State]}
      </div>
      {data.Message && data.State !== 'none' && <p className={styles.message}>{data.Message}</p>}
      <dl className={styles.facts}>
        {facts.map(([name, at]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>
              {at === null ? (
                'never'
              ) : (
                <>
                  {formatDateTime(at)} (<TimeAgo at={at} />)
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </SectionCard>
  )
}
