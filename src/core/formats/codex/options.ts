import type { OptionTable, Widens } from '../agent-options.ts'

/** Settings that change what it says, not what it may do. All others may: `mcp_servers`, `notify`, `sandbox_mode`, `approval_policy`, … */
const harmless = new Set([
  ...['model_reasoning_effort', 'model_reasoning_summary', 'model_verbosity', 'plan_mode_reasoning_effort'],
  ...['model_supports_reasoning_summaries', 'model_context_window', 'model_max_output_tokens'],
  ...['model_auto_compact_token_limit', 'tool_output_token_limit', 'service_tier', 'personality'],
  ...['hide_agent_reasoning', 'show_raw_agent_reasoning', 'project_doc_max_bytes'],
  ...['tools.update_plan.enabled', 'features.default_mode_request_user_input']
])

const widerSetting = (pair: string): Widens | null => (harmless.has((pair.split('=')[0] ?? '').trim()) ? null : 'all')
const widerFeature = (feature: string): Widens | null => widerSetting(`features.${feature}`)
const widerSandbox = (mode: string): Widens | null => (/^(?:read-only|workspace-write)$/.test(mode) ? null : 'all')
const widerApproval = (policy: string): Widens | null => (/^(?:untrusted|on-request)$/.test(policy) ? null : 'more')

/** Of `codex exec` and `codex app-server`. */
export const codexOptions: OptionTable = {
  source: { version: '0.171.0', page: 'https://developers.openai.com/codex/cli/reference' },
  rows: [
    ['--dangerously-bypass-approvals-and-sandbox --yolo', 'nothing', 'all'],
    ['--dangerously-bypass-hook-trust', 'nothing', 'all'],
    // A model approves instead of the user.
    ['--approve-for-me --not-so-yolo', 'nothing', 'all'],
    // Settings of the folder may start any program.
    ['--trust', 'nothing', 'all'],
    ['-s --sandbox', 'one', widerSandbox],
    ['-a --ask-for-approval', 'one', widerApproval],
    ['-c --config', 'one', widerSetting],
    ['--enable --disable', 'one', widerFeature],
    ['-p --profile', 'one', 'all'],
    // Rules and settings may forbid something.
    ['--ignore-rules --ignore-user-config', 'nothing', 'more'],
    ['--add-dir', 'one', 'more'],
    // The folder that it may write to.
    ['-C --cd', 'one', 'more'],
    ['--search', 'nothing', 'more'],
    // It acts, or is told what to do, elsewhere.
    ['--remote --remote-auth-token-env --code-mode-host --cloud-skills-snapshot', 'one', 'all'],
    ['--listen --ws-auth --ws-token-file --ws-token-sha256 --ws-shared-secret-file', 'one', 'all'],
    ['--ws-issuer --ws-audience --ws-max-clock-skew-seconds', 'one'],
    ['--startup-sign-out', 'nothing', 'more'],
    // Its sandbox is that of the mode `workspace-write`.
    ['--full-auto', 'nothing'],
    ['-m --model', 'one'],
    ['-i --image', 'many'],
    ['-o --output-last-message', 'one'],
    ['--output-schema --color --local-provider --thread-source --cyber-access-program', 'one'],
    ['--startup-client-info', 'one'],
    ['--oss --worktree --skip-git-repo-check --ephemeral --strict-config --json --experimental-json', 'nothing'],
    ['--last --all --stdio --print-startup-config --analytics-default-enabled', 'nothing'],
    ['-h --help', 'nothing'],
    ['-V --version', 'nothing']
  ]
}
