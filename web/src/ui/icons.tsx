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

export const BellIcon = () => (
  <Icon size={18}>
    <path d="M4 11V7a4 4 0 0 1 8 0v4l1 1.2H3zM6.8 14.2h2.4" />
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

export const DownloadIcon = () => (
  <Icon>
    <path d="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10" />
  </Icon>
);

/** Which way a column is sorted; both ways while it isn't. */
export const SortIcon = ({ direction }: { direction: 'ascending' | 'descending' | undefined }) => (
  <Icon size={12}>
    {direction !== 'descending' && <path d="M5 6.5 8 3.5l3 3" />}
    {direction !== 'ascending' && <path d="m5 9.5 3 3 3-3" />}
  </Icon>
);

export const MenuIcon = () => (
  <Icon size={20}>
    <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />
  </Icon>
);

export const ArrowLeftIcon = () => (
  <Icon>
    <path d="M13.5 8h-11m4-4.5L2.5 8l4 4.5" />
  </Icon>
);

export const ArrowRightIcon = () => (
  <Icon>
    <path d="M2.5 8h11m-4-4.5 4 4.5-4 4.5" />
  </Icon>
);

export const PauseIcon = () => (
  <Icon>
    <path d="M5.5 3.5v9m5-9v9" />
  </Icon>
);

export const PlayIcon = () => (
  <Icon>
    <path d="M5 3.2v9.6L12.5 8z" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <path d="m3 8.5 3.2 3.2L13 4.8" />
  </Icon>
);

export const PlusIcon = () => (
  <Icon>
    <path d="M8 3.5v9M3.5 8h9" />
  </Icon>
);

export const ViewIcon = () => (
  <Icon>
    <path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 9.6a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2z" />
  </Icon>
);

export const ChartIcon = () => (
  <Icon>
    <path d="M2.5 13.5h11M4 11V8m4 3V3m4 8V6" />
  </Icon>
);

export const FilterIcon = () => (
  <Icon>
    <path d="M2.5 4.5h11M4.5 8h7M6.5 11.5h3" />
  </Icon>
);

export const SearchIcon = () => (
  <Icon>
    <path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zm3.3-1.2 3.2 3.2" />
  </Icon>
);

export const PinIcon = ({ isFilled = false }: { isFilled?: boolean }) => (
  <Icon>
    <path
      d="M5.500 2.500h5l-.7 4.200 2.200 2.300h-8l2.200-2.300zM8 9v4.500"
      fill={isFilled ? 'currentColor' : 'none'}
    />
  </Icon>
);

export const SettingsIcon = () => (
  <Icon>
    <path d="M2.5 4.5h5m4 0h2M2.5 11.5h2m4 0h5M9.5 3v3M6.5 10v3" />
  </Icon>
);

/** Several at once. */
export const AccountsIcon = () => (
  <Icon>
    <path d="M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6ZM1.8 13.2c.3-2.3 2-3.7 4.2-3.7s3.900 1.400 4.200 3.700M10.700 3.200a2.300 2.300 0 0 1 0 4M12.200 9.900c1.200.6 1.900 1.700 2.100 3.300" />
  </Icon>
);
