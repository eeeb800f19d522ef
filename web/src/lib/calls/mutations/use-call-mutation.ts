import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Call, Request, Response } from '@tessera/contract/call'
import { useRef } from 'react'
import { type CallError, post } from '../api.ts'
import { endAttempt, keyOfAttempt } from './attempts.ts'
import { uuid } from './uuid.ts'

/**
 * A mutation as a hook. Afterwards all queries are stale, and visible ones are refetched at once, or as `readAgain` says if the mutation is known to
 * change little. An idempotent call keeps its Idempotency-Key until it succeeds or its input changes; with `survivesReload` also when the page is
 * loaded again, for input that is kept in the browser as well.
 */
export function useCallMutation<C extends Call<'mutation'>>(
  call: C,
  readAgain?: (queries: QueryClient, input: Request<C>) => void,
  { survivesReload = false } = {},
) {
  const queries = useQueryClient()
  const attempt = useRef({ body: '', key: '' })
  return useMutation<Response<C>, CallError, Request<C>>({
    mutationFn: input => {
      if (!call.idempotent) return post(call, input)
      const body = JSON.stringify(input)
      if (attempt.current.body !== body) attempt.current = { body, key: survivesReload ? keyOfAttempt(call, body) : uuid() }
      return post(call, input, { idempotencyKey: attempt.current.key })
    },
    onSuccess: (_answer, input) => {
      attempt.current = { body: '', key: '' }
      if (survivesReload) endAttempt(call)
      if (!readAgain) return void queries.invalidateQueries()
      void queries.invalidateQueries({ refetchType: 'none' })
      readAgain(queries, input)
    },
  })
}
