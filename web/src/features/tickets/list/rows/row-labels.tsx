import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { LabelChip } from '../../../../components/label-chip/label-chip.tsx'

/** With as many labels a row shows only the first: of three in a narrow list, of five in any. */
const manyFrom = [5, 3]

export function RowLabels({ labels }: { labels: QueriedTicket['Labels'] }) {
  return (
    <span
      className="labels"
      data-many={manyFrom.find(count => labels.length >= count)}
      data-tip={labels.map(({ Label }) => Label).join(', ')}
    >
      {labels.map(({ idLabel, Label, Color }) => (
        <LabelChip key={idLabel} name={Label} color={Color} />
      ))}
    </span>
  )
}
