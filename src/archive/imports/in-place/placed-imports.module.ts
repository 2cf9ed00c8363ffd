import { Module } from '@nestjs/common';
import { JobStartsModule } from '../../../platform/jobs/job-starts.module';
import { ImportPlacesRepository } from './import-places.repository';
import { ImportPlacesService } from './import-places.service';
import { PlacedImportsService } from './placed-imports.service';

/** Imports of files and folders where they lie, for the watched folder and the command line. */
@Module({
  imports: [JobStartsModule],
  providers: [ImportPlacesRepository, ImportPlacesService, PlacedImportsService],
  exports: [ImportPlacesService, PlacedImportsService],
})
export class PlacedImportsModule {}
