/**
 * Names whose usual Latin spelling can't be read off the letters: family names romanised by another system than the
 * transliteration, kanji (whose reading only the name's own people know), and Arabic and Hebrew given names, written without
 * vowels. Own table, from common knowledge of the languages; a row, between `|`: the written forms, `=`, the spellings.
 */
export const NATIVE_NAMES: readonly { readonly reason: string; readonly rows: string }[] = [
  {
    reason:
      'Chinese family names: pinyin where the character has several readings, then Cantonese, Hokkien, Wade-Giles, Taiwan',
    rows:
      '陈 陳=chen chan tan chin|黄 黃=huang wong ng hwang|王=wang wong ong|张 張=zhang cheung chang teo cheong|李=li lee lei|' +
      '林=lin lam lim hayashi|吴 吳=wu ng goh|刘 劉=liu lau low lao|杨 楊=yang yeung yeo young|赵 趙=zhao chiu chao|周=zhou chow chau chou chew|' +
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
    reason: 'Japanese family names in kanji, the most frequent ones',
    rows:
      '佐藤=sato|鈴木=suzuki|高橋=takahashi|田中=tanaka|伊藤=ito|渡辺 渡邊 渡邉=watanabe|山本=yamamoto|中村=nakamura|小林=kobayashi|' +
      '加藤=kato|吉田=yoshida|山田=yamada|佐々木=sasaki|山口=yamaguchi|松本=matsumoto|井上=inoue|木村=kimura|斎藤 齋藤 斉藤=saito|' +
      '清水=shimizu|山崎=yamazaki yamasaki|阿部=abe|森=mori|池田=ikeda|橋本=hashimoto|山下=yamashita|石川=ishikawa|中島=nakajima nakashima|' +
      '前田=maeda|藤田=fujita|小川=ogawa|後藤=goto|岡田=okada|長谷川=hasegawa|村上=murakami|近藤=kondo|石井=ishii|坂本=sakamoto|' +
      '遠藤=endo|青木=aoki|藤井=fujii|西村=nishimura|福田=fukuda|太田=ota|三浦=miura|岡本=okamoto|松田=matsuda|中川=nakagawa|' +
      '中野=nakano|原田=harada|小野=ono|田村=tamura|竹内=takeuchi|金子=kaneko|和田=wada|中山=nakayama|藤原=fujiwara|石田=ishida|' +
      '上田=ueda|森田=morita|原=hara|柴田=shibata|酒井=sakai|工藤=kudo|横山=yokoyama|宮崎=miyazaki|宮本=miyamoto|内田=uchida|' +
      '高木=takagi|安藤=ando|谷口=taniguchi|大野=ono|丸山=maruyama|今井=imai|高田=takada|藤本=fujimoto|武田=takeda|村田=murata|' +
      '上野=ueno|杉山=sugiyama|増田=masuda|菅原=sugawara|平野=hirano|大塚=otsuka|小島=kojima|千葉=chiba|久保=kubo|松井=matsui|' +
      '岩崎=iwasaki|木下=kinoshita|野口=noguchi|松尾=matsuo|野村=nomura|菊地 菊池=kikuchi|新井=arai|渡部=watanabe watabe|本田=honda|' +
      '三宅=miyake|黒田=kuroda|星野=hoshino|東=higashi azuma|南=minami|川口=kawaguchi|関=seki|大西=onishi|北村=kitamura',
  },
  {
    reason: 'Japanese given names in kanji, the most frequent ones',
    rows:
      '太郎=taro|一郎=ichiro|次郎=jiro|健太=kenta|翔太=shota|大輔=daisuke|直樹=naoki|健一=kenichi|健=ken takeshi|誠=makoto|隆=takashi|' +
      '浩=hiroshi|博=hiroshi|明=akira ming|豊=yutaka|修=osamu|和也=kazuya|拓也=takuya|達也=tatsuya|哲也=tetsuya|裕太=yuta|大樹=daiki|' +
      '翔=sho kakeru|蓮=ren|陽太=yota|花子=hanako|恵子=keiko|陽子=yoko|洋子=yoko|裕子=yuko hiroko|優子=yuko|由美子=yumiko|久美子=kumiko|' +
      '明美=akemi|直美=naomi|真由美=mayumi|美咲=misaki|愛=ai|葵=aoi|結衣=yui|美穂=miho|智子=tomoko|幸子=sachiko yukiko|和子=kazuko|' +
      '京子=kyoko|典子=noriko|純=jun|学=manabu|聡=satoshi|悟=satoru|亮=ryo|涼=ryo|剛=tsuyoshi takeshi|彩=aya|舞=mai|恵=megumi',
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
