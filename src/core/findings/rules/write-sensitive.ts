import type { Agent } from '../../formats/agent.ts'
import { agents } from '../../formats/agents.ts'
import { pathKey, placePath } from '../../paths/log-path.ts'
import { ownText } from '../own-text.ts'
import { doneTraits, Rule } from '../rule.ts'
import type { CallEnd } from '../seen-event.ts'

const settings = Object.values<Agent>(agents)
  .flatMap((agent) => agent.settings ?? [])
  .map((path) => path.replaceAll('.', '\\.'))
  .join('|')

/** Settings of a person or the system. The home folder is `~`, or that of any user, as `pathKey` or a shell of Windows writes it. */
const home =
  String.raw`(?:~|\$HOME|/(?:home|Users)/[^/]{1,100}|/root|` +
  String.raw`(?:[a-z]:|/(?:(?:mnt|cygdrive)/)?[A-Za-z])/[Uu]sers/[^/]{1,100}|//wsl\.localhost/[^/]{1,100}/(?:home/[^/]{1,100}|root))`
const sensitive = new RegExp(
  `^${home}/(?:\\.ssh/|\\.aws/|\\.config/|\\.gnupg/|\\.(?:bash|zsh|k)rc$|\\.bash_profile$|\\.bash_login$|\\.profile$|\\.z(?:profile|env|login)$|` +
    `\\.gitconfig$|\\.npmrc$|\\.netrc$|${settings})|^(?://wsl\\.localhost/[^/]{1,100})?/etc/|^[a-z]:/windows/system32/drivers/etc/|(?:^|/)\\.git/hooks/`
)

/** Pieces of paths without one of which no path is sensitive. */
const parts = new RegExp(
  `\\.(?:ssh|aws|config|gnupg|bash|zsh|ksh|profile|z|gitconfig|npmrc|netrc)|etc[/\\\\]|\\.git[/\\\\]|${settings.replaceAll('/', '[/\\\\]+')}`
)

/** An edit of keys, shell start files, settings of the system, or Git hooks. */
export class WriteSensitive extends Rule {
  override readonly looksAt = doneTraits.edits
  override end({ call, counts }: CallEnd): void {
    if (counts !== 'done' || (call.kind !== 'edit' && call.kind !== 'write')) return
    const { file: named } = call
    // To list the files of a patch is slow.
    if (named === undefined && !call.mayName(parts)) return
    const files = named === undefined ? call.files : [named]
    const file = files.find(
      (path) => parts.test(path) && sensitive.test(pathKey(placePath(path, null)).replace(/^\?\//, ''))
    )
    if (file === undefined) return
    const path = ownText(file)
    this.run.found.add({
      rule: 'write-sensitive',
      text: `An edit changed ${path}`,
      short: 'sensitive file',
      events: [call.seq],
      more: 0,
      facts: { path }
    })
  }
}
