/**
 * Names whose usual Latin spelling can't be read off the letters: family names romanised by another system than the
 * transliteration, and Arabic and Hebrew given names. Own table, from common knowledge of the languages; a row, between `|`:
 * the written forms, `=`, the spellings. Japanese names have a table of their own (`japanese-names.ts`).
 */
export const NATIVE_NAMES: readonly { readonly reason: string; readonly rows: string }[] = [
  {
    reason:
      'Chinese family names: pinyin where the character has several readings, then Cantonese, Hokkien, Wade-Giles, Taiwan',
    rows:
      '陈 陳=chen chan tan chin|黄 黃=huang wong ng hwang|王=wang wong ong|张 張=zhang cheung chang teo cheong|李=li lee lei|' +
      '林=lin lam lim|吴 吳=wu ng goh|刘 劉=liu lau low lao|杨 楊=yang yeung yeo young|赵 趙=zhao chiu chao|周=zhou chow chau chou chew|' +
      '徐=xu tsui hsu chee|孙 孫=sun suen sung|马 馬=ma mah|朱=zhu chu choo|胡=hu wu woo|郭=guo kwok kuo quek koh|何=he ho hoh|' +
      '高=gao ko kao|罗 羅=luo lo law loh|郑 鄭=zheng cheng chang tay teh|梁=liang leung leong neo|谢 謝=xie tse hsieh chia|' +
      '宋=song sung soong|唐=tang tong|许 許=xu hui hsu koh khoo|邓 鄧=deng tang teng|冯 馮=feng fung foong|韩 韓=han hon|曹=cao cho tsao|' +
      '曾=zeng tsang tseng chan|彭=peng pang|萧 蕭 肖=xiao siu hsiao siew|蔡=cai tsai choi choy chua|潘=pan poon phua|' +
      '田=tian tin tien|董=dong tung|袁=yuan yuen|于 余=yu yue yee|叶 葉=ye yip yeh yap|蒋 蔣=jiang chiang cheung|杜=du to tu|' +
      '苏 蘇=su so soh|魏=wei ngai|程=cheng ching|吕 呂=lv lu lyu lui lue|丁=ding ting|沈=shen shum sim|任=ren yam jen|' +
      '姚=yao yiu yeow|卢 盧=lu lo loo|钟 鍾 鐘=zhong chung chong|崔=cui tsui choi|谭 譚=tan tam|廖=liao liu liew|范=fan|' +
      '石=shi shek shih|金=jin kam chin kim|夏=xia ha hsia|傅=fu foo|方=fang fong|邹 鄒=zou chow tsou|熊=xiong hung hsiung|' +
      '白=bai pak pai|孟=meng mang|秦=qin chun chin|邱 丘=qiu yau chiu khoo|江=jiang kong chiang|尹=yin wan|薛=xue sit hsueh|' +
      '侯=hou hau|段=duan tuen|雷=lei lui loy|龙 龍=long lung|陶=tao to|贺 賀=he ho|顾 顧=gu ku koo|毛=mao mo|单 單=shan|' +
      '解=xie|查=zha cha|仇=qiu|翟=zhai chak|盖 蓋=ge|区 區=ou au|洪=hong hung ang|邵=shao siu|严 嚴=yan yim|关 關=guan kwan|欧阳 歐陽=ouyang auyeung',
  },
  {
    reason: 'Korean family names: the spelling in use differs from Revised Romanization',
    rows:
      '김=kim gim ghim|이=lee yi rhee li|리=lee ri ree|박=park pak bak|최=choi choe|정=jung jeong chung cheong|강=kang gang|조=cho jo|' +
      '윤=yoon yun|장=jang chang|임=lim im yim|한=han|오=oh o|서=seo suh|신=shin sin|권=kwon gwon|황=hwang|안=ahn an|송=song|' +
      '전=jeon jun chun|홍=hong|유=yoo yu you ryu|류=ryu yoo|고=ko go koh|문=moon mun|손=son sohn|양=yang|배=bae pae|백=baek paik|' +
      '허=heo hur huh|노=noh roh no|남=nam|심=shim sim|곽=kwak gwak|성=sung seong|차=cha|주=joo ju|우=woo wu|구=koo gu ku goo|' +
      '민=min|진=jin chin|엄=um eom uhm|원=won|천=chun cheon|방=bang|공=kong gong|현=hyun hyeon|변=byun byeon|여=yeo|추=choo chu|' +
      '도=do|소=so|석=seok suk|선=sun seon|설=seol sul|길=gil kil|표=pyo|명=myung myeong|기=ki gi|반=ban|왕=wang|금=keum geum|' +
      '옥=ok|육=yuk|인=in|맹=maeng|제=je|모=mo|탁=tak|국=kuk|어=eo|은=eun|남궁=namgung namkung|황보=hwangbo|제갈=jegal|선우=sunwoo seonu',
  },
  {
    reason: 'Arabic and Persian given and family names',
    rows:
      'محمد=mohammed muhammad mohamed mohammad mohamad muhammed mehmed mhd mohd|أحمد احمد=ahmed ahmad|محمود=mahmoud mahmood mahmud|' +
      'علي علی=ali aly|حسن=hassan hasan|حسين حسین=hussein hussain husain hossein hoseyn|عمر=omar umar omer|عمرو=amr|خالد=khaled khalid|' +
      'سعيد سعید=saeed said sayed saeid|سعد=saad|سمير=samir sameer|يوسف یوسف=yousef youssef yusuf yousuf joseph|إبراهيم ابراهيم ابراهیم=ibrahim ebrahim|' +
      'مصطفى مصطفی=mustafa mostafa|طارق=tariq tarek tareq|كريم کریم=karim kareem|فاطمة فاطمه=fatima fatma fatemeh fatimah|' +
      'عائشة=aisha aicha ayesha|مريم مریم=maryam mariam meryem|زينب زینب=zainab zeinab zaynab|ليلى لیلا ليلي=layla leila laila|' +
      'نور=noor nour nur|سارة سارا=sara sarah|هند=hind|أمل=amal|رنا=rana|دانا=dana|لينا=lina leena|مها=maha|هدى=huda hoda|' +
      'عبدالله=abdullah abdallah abdulla|عبدالرحمن=abdulrahman abdelrahman abdurrahman|رامي=rami ramy|وليد=walid waleed|' +
      'ياسر=yasser yasir|زياد=ziad ziyad|فيصل=faisal faysal|سلمان=salman|سليم=salim saleem|ماجد=majed majid|حمد=hamad|راشد=rashid rashed|' +
      'سامي=sami samy|هاني=hani hany|وائل=wael|أيمن=ayman|أنس=anas|بلال=bilal|رضا=reza rida|مهدي مهدی=mahdi mehdi|أمير امیر=amir ameer|' +
      'نجيب=najib naguib|جمال=jamal gamal|جابر=jaber gaber|حمزة=hamza|هشام=hisham hesham|أسامة=osama usama|صالح=saleh salih|صلاح=salah',
  },
  {
    reason: 'Hebrew given and family names',
    rows:
      'משה=moshe moses|דוד=david dudi|יוסף=yosef joseph yossi|אברהם=avraham abraham avi|יצחק=yitzhak itzhak isaac itzik|יעקב=yaakov jacob|' +
      'שרה=sara sarah|רבקה=rivka rebecca|רחל=rachel|לאה=leah lea|אסתר=esther ester|מרים=miriam|חנה=hanna hannah chana|' +
      'נועה=noa|תמר=tamar|מיכל=michal|יעל=yael|רונית=ronit|אורית=orit|עדי=adi|ליאור=lior|אורי=uri ori|איתן=eitan ethan|יונתן=yonatan jonathan|' +
      'דניאל=daniel|מיכאל=michael|כהן=cohen kohen|לוי=levi levy|מזרחי=mizrahi mizrachi|פרץ=peretz|ביטון=biton bitton|דהן=dahan|אבי=avi|גיא=guy|רון=ron|נתן=natan nathan',
  },
];
