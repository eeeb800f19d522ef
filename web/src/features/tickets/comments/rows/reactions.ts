import type { Request, Response } from '@tessera/contract/call'
import type { getTicketComments, setCommentReaction } from '@tessera/contract/tickets/comments'

type Comment = Response<typeof getTicketComments>[number]
type Reaction = Request<typeof setCommentReaction>['Reaction']

/** The eight reactions in the order of choosing. */
export const reactionLooks: Record<Reaction, { emoji: string; name: string }> = {
  '+1': { emoji: '👍', name: 'Thumbs up' },
  '-1': { emoji: '👎', name: 'Thumbs down' },
  laugh: { emoji: '😄', name: 'Laugh' },
  hooray: { emoji: '🎉', name: 'Hooray' },
  confused: { emoji: '😕', name: 'Confused' },
  heart: { emoji: '❤️', name: 'Heart' },
  rocket: { emoji: '🚀', name: 'Rocket' },
  eyes: { emoji: '👀', name: 'Eyes' },
}
export const allReactions = Object.keys(reactionLooks) as Reaction[]

/** The comments after the person called `me` has added or removed a reaction. */
export function withReaction(
  comments: Comment[],
  { idComment, Reaction, Enabled }: Request<typeof setCommentReaction>,
  me: string,
): Comment[] {
  return comments.map(comment => {
    if (comment.idComment !== idComment) return comment
    const known = comment.Reactions.find(one => one.Reaction === Reaction)
    if ((known?.Mine ?? 0) === Enabled) return comment
    const position = known?.Users.lastIndexOf(me) ?? -1
    const Users = Enabled === 1 ? [...(known?.Users ?? []), me] : (known?.Users ?? []).filter((_, index) => index !== position)
    const changed = { Reaction, Users, Mine: Enabled }
    const Reactions = known ? comment.Reactions.map(one => (one === known ? changed : one)) : [...comment.Reactions, changed]
    return { ...comment, Reactions: Reactions.filter(one => one.Users.length > 0) }
  })
}
