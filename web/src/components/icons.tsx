import type { ReactNode } from 'react';

function Icon({ children, size = 16 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const ChevronDownIcon = () => (
  <Icon size={14}>
    <path d="m3.5 6 4.5 4.5L12.5 6" />
  </Icon>
);

export const BackIcon = () => (
  <Icon>
    <path d="M9.8 3.2 5 8l4.8 4.8" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="m4 4 8 8m0-8-8 8" />
  </Icon>
);

export const PrintIcon = () => (
  <Icon>
    <path d="M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z" />
  </Icon>
);

export const CommentIcon = () => (
  <Icon>
    <path d="M2.5 3h11v8h-6L4.5 13.5V11h-2z" />
  </Icon>
);

export const VideoIcon = () => (
  <Icon>
    <path d="M5 3.2v9.6L12.5 8z" fill="currentColor" />
  </Icon>
);

export const AlbumIcon = () => (
  <Icon>
    <path d="M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3" />
  </Icon>
);
