import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export const Root = (): ReactNode => <Outlet />;
