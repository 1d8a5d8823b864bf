; What the app told Windows of itself: links, the start at login, clicks on its notices. An update keeps it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\ovation"
    DeleteRegKey HKCU "Software\Classes\CLSID\{0f3a6f8e-54d1-4c0e-9a43-6d1f2b7c9e15}"
    DeleteRegKey HKCU "Software\Classes\AppUserModelId\app.ovation.desktop"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "app.ovation.desktop"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "app.ovation.desktop"
  ${endIf}
!macroend
