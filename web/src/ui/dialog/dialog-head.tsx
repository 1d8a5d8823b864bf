import { Modal } from '@mantine/core';
import styles from './dialog-head.module.css';

/** A dialog's title and close button; the library's own head is a second banner to screen readers. */
export function DialogHead({ title }: { title: string }) {
  return (
    <div className={styles['head']}>
      <Modal.Title>{title}</Modal.Title>
      <Modal.CloseButton aria-label="Close" size="xl" />
    </div>
  );
}
