import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { allPermissions } from '@tessera/contract/permissions'
import { getProjectData } from '@tessera/contract/projects/projects'
import { moveOnBoard } from '@tessera/contract/tickets/board'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import type { Board, Card } from '../data/board-data.ts'
import type { BoardRequest } from '../data/board-request.ts'
import { useMoves } from './use-moves.ts'

test('a card that is moved on before its first move is saved moves on from there', async () => {
  const server = fakeServer()
  let [state, version] = [1, 1]
  const ticket = () => ({ Version: version, idState: state, OutputStates: [{ id: state + 1 }], Permissions: allPermissions })
  server.on(getTicketData, () => ticket() as never)
  server.on(getProjectData, () => ({ BlockersHold: 0 }) as never)
  let save = () => {}
  server.on(moveOnBoard, async ({ State = 0 }) => {
    await new Promise<void>(done => (save = done))
    state = State
    version += 1
    return { Success: 1, Version: version, States: [] } as never
  })
  const card = { id: 7, pcode: 'OPS' } as Card
  const columns = ['1', '2', '3'].map(key => ({ key, Value: key, Label: key, Total: 0, cards: [], cursor: null }))
  const board: Board = { lanes: undefined, columns }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { result } = renderHook(() => useMoves({ idProject: 1, Group: 'State' } as BoardRequest), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  for (const from of [1, 2])
    act(() =>
      result.current.drop({
        board,
        card,
        move: { id: 7, from: { column: String(from), lane: '' }, to: { column: String(from + 1), lane: '' }, after: null },
        lifting: result.current.lift(card),
        onCanceled: () => {},
      }),
    )
  // A move is shown until it is saved.
  for (const [count, left] of [
    [1, ['3']],
    [2, []],
  ] as const) {
    await waitFor(() => expect(server.sentTo(moveOnBoard)).toHaveLength(count))
    await act(async () => save())
    await waitFor(() => expect(result.current.pending.map(({ to }) => to.column)).toEqual(left))
  }
  const sent = server.sentTo(moveOnBoard).map(({ input }) => input)
  expect(sent).toMatchObject([
    { State: 2, Version: 1 },
    { State: 3, Version: 2 },
  ])
})
