import { Alert } from '../src/components/alert/alert.tsx'
import { Avatar } from '../src/components/avatar/avatar.tsx'
import { Button, ButtonLink } from '../src/components/button/button.tsx'
import { DataTable } from '../src/components/data-table/data-table.tsx'
import { EmptyState } from '../src/components/empty-state/empty-state.tsx'
import { IconButton } from '../src/components/icon-button/icon-button.tsx'
import { AddIcon, DeleteIcon, FolderIcon, SearchIcon } from '../src/components/icons/icons.tsx'
import { PhaseMark } from '../src/components/icons/phase-mark.tsx'
import { Link } from '../src/components/link/link.tsx'
import { ProgressBar } from '../src/components/progress-bar/progress-bar.tsx'
import { RowList } from '../src/components/row-list/row-list.tsx'
import { SectionCard } from '../src/components/section-card/section-card.tsx'
import { Skeleton } from '../src/components/skeleton/skeleton.tsx'
import { Spinner } from '../src/components/spinner/spinner.tsx'
import { Tooltip } from '../src/components/tooltip/tooltip.tsx'
import styles from './parts.module.css'

const rows = Array.from({ length: 9 }, (_, index) => ({
  id: index,
  icon: <FolderIcon />,
  text: `Project ${index + 1}`,
  note: `P${index + 1}`,
}))

/** Parts that only show something, or that one presses. */
export function Plain() {
  return (
    <>
      <SectionCard title="Buttons" padded>
        <div className={styles.column}>
          {(['contained', 'outlined', 'text'] as const).map(variant => (
            <div key={variant} className={styles.row}>
              <Button variant={variant}>{variant}</Button>
              <Button variant={variant}>
                <AddIcon /> WITH AN ICON
              </Button>
              <Button variant={variant} danger>
                DANGER
              </Button>
              <Button variant={variant} disabled>
                DISABLED
              </Button>
            </div>
          ))}
          <div className={styles.row}>
            <ButtonLink to="/">LINK</ButtonLink>
            <IconButton aria-label="Add">
              <AddIcon />
            </IconButton>
            <IconButton aria-label="Pressed" aria-pressed>
              <FolderIcon />
            </IconButton>
            <IconButton aria-label="Disabled" disabled>
              <DeleteIcon />
            </IconButton>
            <Tooltip title="Words beside it">
              <IconButton small>
                <SearchIcon fontSize="small" />
              </IconButton>
            </Tooltip>
            <span>
              A <Link to="/">link</Link> and one{' '}
              <Link to="/" underlined>
                in running text
              </Link>
              .
            </span>
          </div>
        </div>
      </SectionCard>
      <SectionCard title="Alerts" count={4} padded>
        <div className={styles.column}>
          <Alert severity="error" action={<Button>TRY AGAIN</Button>}>
            Something went wrong.
          </Alert>
          <Alert severity="warning" onClose={() => undefined}>
            Something may go wrong.
          </Alert>
          <Alert severity="info">Something is worth knowing.</Alert>
        </div>
      </SectionCard>
      <SectionCard title="People" padded>
        <Avatar name="Dana Kim" />
      </SectionCard>
      <SectionCard title="Waiting" padded>
        <div className={styles.column}>
          <Spinner label="Working" />
          <ProgressBar label="Uploaded" value={40} />
          <ProgressBar label="Checking" />
          <Skeleton height={48} width="60%" />
          <Skeleton />
        </div>
      </SectionCard>
      <SectionCard title="Empty" footer={<Button>ADD ONE</Button>}>
        <EmptyState icon={<FolderIcon />} title="There is nothing yet" action={<Button variant="contained">ADD</Button>}>
          What stands here later, and why it does not stand here now.
        </EmptyState>
      </SectionCard>
      <SectionCard title="Table">
        <DataTable aria-label="States">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col" className="number">
                Tickets
              </th>
            </tr>
          </thead>
          <tbody>
            {([1, 2, 3] as const).map(phase => (
              <tr key={phase} data-clickable data-chosen={phase === 2 || undefined}>
                <th scope="row">
                  <PhaseMark phase={phase} />{' '}
                  <button type="button" className="row-button">
                    State {phase}
                  </button>
                </th>
                <td className="number">{phase * 12}</td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      </SectionCard>
      <SectionCard title="Rows" count={rows.length}>
        <RowList label="projects" rows={rows} empty={null} path={() => '/'} />
      </SectionCard>
    </>
  )
}
