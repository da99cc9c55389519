; Links playhead://open lead to the app; electron-builder registers protocols for macOS and Linux only. Behind -- a link is no switch. The
; words are those that the app itself registers when it starts (src/main/index.ts).
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\playhead" "" "URL:Playhead"
  WriteRegStr SHELL_CONTEXT "Software\Classes\playhead" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\playhead\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\playhead\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "--" "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\playhead"
!macroend
