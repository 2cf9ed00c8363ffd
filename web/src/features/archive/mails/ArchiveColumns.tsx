import { Box, Button, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MailPanes } from '../../../ui/MailPanes';
import classes from './archive.module.css';
import { ArchiveLinks } from './ArchiveLinks';
import { Facets } from './Facets';
import type { FoundProps } from './found';

interface ArchiveColumnsProps extends Omit<FoundProps, 'place'> {
  readonly list: ReactNode;
  readonly reader: ReactNode;
}

/** Facets, list and reader beside one another, as far as there is room. */
export function ArchiveColumns(props: ArchiveColumnsProps): ReactNode {
  const { listing, conditions, onConditions, list, reader } = props;
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  const isReading = Boolean(reader);
  const links = <ArchiveLinks accountId={listing.accountId} q={conditions.q} />;
  return (
    <>
      {!isReading && (
        <Box className={classes.opener}>
          <Button size="xs" variant="default" onClick={open}>
            {t('archive.facets')}
          </Button>
        </Box>
      )}
      <Drawer opened={opened} onClose={close} size="xs" title={t('archive.facets')}>
        {links}
        <Facets
          listing={listing}
          conditions={conditions}
          onChange={(changes) => {
            close();
            onConditions(changes);
          }}
        />
      </Drawer>
      <div className={classes.columns} data-reading={isReading || undefined}>
        <div className={classes.facets}>
          {links}
          <Facets listing={listing} conditions={conditions} onChange={onConditions} />
        </div>
        <MailPanes list={list} reader={reader} />
      </div>
    </>
  );
}
