import {
  type ComponentType,
  Fragment,
  Component as ReactComponent,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
} from 'react'
import type { Location } from './location.ts'
import { currentPage, subscribe } from './navigation.ts'
import { restoreScroll } from './scroll.ts'

type Problem = ComponentType<{ problem: unknown }>

/** The page at the address, inside its route's frame; `Problem` if it cannot be loaded or drawn. */
export function CurrentPage({ Problem }: { Problem: Problem }) {
  const shown = useSyncExternalStore(subscribe, currentPage)
  const { location, route, Component, problem } = shown
  // A new address alone does not re-render the page.
  const page = useMemo(() => Component && <Component />, [Component])
  const Frame = route?.Frame ?? Fragment
  return (
    <Boundary location={location} Problem={Problem}>
      {problem === undefined ? <Frame>{page}</Frame> : <Problem problem={problem} />}
    </Boundary>
  )
}

/** Rendered after the page, because it needs the new height. */
export function ScrollRestoration() {
  const shown = useSyncExternalStore(subscribe, currentPage)
  useLayoutEffect(() => {
    if (!shown.keepsScroll) restoreScroll(shown.location)
  }, [shown])
  return null
}

interface BoundaryProps {
  location: Location
  Problem: Problem
  children: ReactNode
}
interface Caught {
  problem?: unknown
  location?: Location
}

/** Shows what failed until the address changes. */
class Boundary extends ReactComponent<BoundaryProps, Caught> {
  override state: Caught = {}
  static getDerivedStateFromError(problem: unknown): Caught {
    return { problem }
  }
  static getDerivedStateFromProps({ location }: BoundaryProps, state: Caught): Caught | null {
    return location === state.location ? null : { location, problem: undefined }
  }
  override render() {
    const { Problem, children } = this.props
    return this.state.problem === undefined ? children : <Problem problem={this.state.problem} />
  }
}
