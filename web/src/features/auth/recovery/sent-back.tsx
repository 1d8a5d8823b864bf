import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { toastErrorAhead } from '#web/ui/toasts/toast.ts';
import { useServices } from '#web/platform/services.ts';

/** In place of a recovery page that was opened without the steps before it (S§4). */
export function SentBack({ reason }: { reason: string }) {
  const { paths } = useServices();
  const navigate = useNavigate();
  useEffect(() => {
    toastErrorAhead(reason);
    void navigate(paths.verifyEmail, { replace: true });
  }, [reason, navigate, paths]);
  return null;
}
