/** The emoji that are offered, by the names that GitHub and Slack give them; the first of several names is shown. */
const list = `😀 grinning|😄 smile happy|😅 sweat_smile|😂 joy laugh|🙂 slight_smile|😉 wink|😊 blush|😍 heart_eyes|😎 sunglasses cool|🤔 thinking|😐 neutral_face
🙄 rolling_eyes|😏 smirk|😮 open_mouth wow|😴 sleeping|😕 confused|🙁 frowning sad|😢 cry|😭 sob|😡 rage angry|😱 scream|🤯 exploding_head|🥳 partying_face|😇 innocent
🤷 shrug|🤦 facepalm|👍 +1 thumbsup yes|👎 -1 thumbsdown no|👌 ok_hand|👏 clap|🙌 raised_hands hooray|🙏 pray thanks please|💪 muscle|👋 wave hello|🤝 handshake|✌️ v peace
👀 eyes look|🧠 brain|❤️ heart love|💔 broken_heart|💯 100|🔥 fire|✨ sparkles|⭐ star|🌟 star2|💥 boom|💡 bulb idea|💬 speech_balloon|🎉 tada party|🎂 birthday
🎁 gift|🏆 trophy|🥇 first_place|🚀 rocket launch ship|🚢 ship|✈️ airplane|🚗 car|🚲 bike|🏠 house|🏗️ building_construction|⚙️ gear settings|🔧 wrench fix|🔨 hammer
🛠️ tools|🧪 test_tube test|🔬 microscope|🔭 telescope|🐛 bug|🐞 beetle|🦄 unicorn|🐢 turtle slow|🐌 snail|🐱 cat|🐶 dog|🌍 earth|🌱 seedling|🌈 rainbow|☀️ sunny|☁️ cloud
⚡ zap fast|❄️ snowflake|☕ coffee|🍕 pizza|🍰 cake|🍺 beer|⌛ hourglass|⏰ alarm_clock|📅 calendar date|📌 pushpin|📎 paperclip|📝 memo note|📚 books|📖 book docs
📦 package release|📈 chart_up|📉 chart_down|📊 bar_chart|📷 camera|📱 phone mobile|💻 computer laptop|🖥️ desktop|⌨️ keyboard|🖨️ printer|🔋 battery|🔌 plug|💾 floppy_disk save
🗑️ wastebasket trash|🔒 lock secure|🔓 unlock|🔑 key|🔍 mag search|🔔 bell|🔗 link|✅ white_check_mark done check|☑️ ballot_box|✔️ heavy_check_mark|❌ x cross|❗ exclamation
❓ question|⚠️ warning|🚨 rotating_light alarm|⛔ no_entry|🚫 no_entry_sign|🚧 construction wip|🛑 stop_sign|♻️ recycle|🔄 arrows_counterclockwise|⬆️ arrow_up|⬇️ arrow_down
➡️ arrow_right|⬅️ arrow_left|🔴 red_circle|🟠 orange_circle|🟡 yellow_circle|🟢 green_circle|🔵 blue_circle|⚪ white_circle|⚫ black_circle|💰 moneybag|💶 euro|💵 dollar
🧹 broom cleanup|🩹 adhesive_bandage hotfix|🎨 art|🎯 dart target|🎲 game_die|🧩 puzzle|🏁 checkered_flag finish|🚩 triangular_flag flag|👻 ghost|🤖 robot|💀 skull|🙈 see_no_evil`

interface Emoji {
  sign: string
  name: string
}
const all = list.split(/[|\n]/).map(entry => {
  const [sign = '', name = '', ...others] = entry.split(' ')
  return { sign, name, names: [name, ...others] }
})

/** Up to 8 emoji: those with a name that begins with the words, then those with a name that contains them. */
export function emojiFor(words: string): Emoji[] {
  const typed = words.toLowerCase()
  const begins = all.filter(({ names }) => names.some(name => name.startsWith(typed)))
  const contains = all.filter(entry => !begins.includes(entry) && entry.names.some(name => name.includes(typed)))
  return [...begins, ...contains].slice(0, 8).map(({ sign, name }) => ({ sign, name }))
}
