import { useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import { useApp } from '../../stores/app-store.ts'
import type { Given } from '../../stores/given-files.ts'
import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { useGrowth } from '../live/growth.ts'
import { ChooseButton } from '../start/choose-button.tsx'
import { missingText } from './missing-text.ts'

/** A note that subagent logs are missing, until it is closed. Not while the log grows: new logs appear soon. */
export function MissingLogs() {
  const { id, resuming } = useLogParts()
  const { path, missing, tracks, files, phase } = useStatus('path', 'missing', 'tracks', 'files', 'phase')
  const seen = useLog((log) => log.missingSeen)
  const grows = useGrowth(id) !== null
  const isSent = useApp((app) => app.isSent(path))
  const completeLog = useApp((app) => app.completeLog)
  // Closing applies to this state; another log or another number of missing ones shows the note again.
  const asked = `${id} ${missing.named}`
  const [failed, setFailed] = useState({ asked, why: '' })
  const why = failed.asked === asked ? failed.why : ''
  const text = missingText({ missing, tracks, files }, isSent)
  if (text === null || phase !== 'done' || grows || seen) return null
  const complete = async (given: Given) => {
    setFailed({ asked, why: '' })
    try {
      await completeLog(path, given)
    } catch (failure) {
      setFailed({ asked, why: messageOf(failure) })
    }
  }
  return (
    <Banner
      severity="violation"
      icon="agent"
      actions={isSent && <ChooseButton what="folder" onGiven={(given) => void complete(given)} />}
      onDismiss={() => resuming.dismissMissing()}
    >
      {text}
      {why !== '' && <span className="s-malformed"> {why}</span>}
    </Banner>
  )
}
