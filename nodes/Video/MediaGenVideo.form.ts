import { catalogProperties } from '../shared/form/catalogProperties';
import { subtitleOf } from '../shared/form/subtitle';
import { VIDEO_CATALOG } from '../shared/spec/catalogs';

export { OUTPUTS } from '../shared/form/outputs';
export { WAITING_TOOLTIP } from '../shared/form/waitingTooltip';

export const SUBTITLE = subtitleOf(VIDEO_CATALOG);

export const properties = () => catalogProperties(VIDEO_CATALOG);
